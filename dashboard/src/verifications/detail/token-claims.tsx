import { Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { LocalAndUtcTime } from '../../components/timestamp.tsx'
import classes from './token-claims.module.css'

export function TokenClaims({ jwt }: { jwt: string }) {
  const decoded = decodeJwt(jwt)
  if (!decoded) return <Text size="sm">This token cannot be decoded.</Text>
  const { alg, kid } = decoded.header
  return (
    <dl className={classes.claims}>
      {Object.entries({ alg, kid, ...decoded.claims }).map(([name, value]) => (
        <div key={name}>
          <dt>
            <Code>{name}</Code> {formatClaim(name, value)}
          </dt>
          <dd>{descriptions[name] ?? 'Unknown claim.'}</dd>
        </div>
      ))}
    </dl>
  )
}

interface DecodedJwt {
  header: Record<string, unknown>
  claims: Record<string, unknown>
}

/** Doesn't verify the signature: for display only. Undefined for anything but a JWT. */
function decodeJwt(jwt: string): DecodedJwt | undefined {
  const [header, claims] = jwt.split('.')
  try {
    return { header: decodePart(header), claims: decodePart(claims) }
  } catch {
    return undefined
  }
}

function decodePart(part = ''): Record<string, unknown> {
  const bytes = Uint8Array.from(atob(part.replace(/-/g, '+').replace(/_/g, '/')), character =>
    character.charCodeAt(0),
  )
  return JSON.parse(new TextDecoder().decode(bytes))
}

function formatClaim(name: string, value: unknown): ReactNode {
  if ((name === 'iat' || name === 'exp') && typeof value === 'number') {
    return (
      <>
        {value} – <LocalAndUtcTime at={new Date(value * 1_000).toISOString()} />
      </>
    )
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const descriptions: Record<string, string> = {
  alg: 'The signature algorithm.',
  kid: "The ID of the signing key, one of the service's published keys.",
  iss: 'The issuer: this service.',
  sub: 'The verification ID.',
  aud: 'The audience: your tenant.',
  jti: 'The unique ID of this token, used for revocation.',
  iat: 'The time of issue.',
  exp: 'The expiry time.',
  over18: 'Whether the person is confirmed to be 18 or over.',
}
