import { Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { LocalAndUtc } from '../../time/local-and-utc.tsx'
import { type ReadJwt, readJwt } from './read-jwt.ts'
import classes from './token-claims.module.css'

/** Every claim of the token with what it means. */
export function TokenClaims({ jwt }: { jwt: string }) {
  const read = readJwt(jwt)
  if (!read) return <Text size="sm">This token can not be read.</Text>
  return (
    <dl className={classes.claims}>
      {namedClaims(read).map(([name, value]) => (
        <div key={name}>
          <dt>
            <Code>{name}</Code> {showClaim(name, value)}
          </dt>
          <dd>{meanings[name] ?? 'Not a claim that this version of the dashboard knows.'}</dd>
        </div>
      ))}
    </dl>
  )
}

function namedClaims({ header, claims }: ReadJwt): [string, unknown][] {
  const { alg, kid } = header
  return Object.entries({ alg, kid, ...claims })
}

function showClaim(name: string, value: unknown): ReactNode {
  if ((name === 'iat' || name === 'exp') && typeof value === 'number') {
    return (
      <>
        {value}, that is <LocalAndUtc at={new Date(value * 1_000).toISOString()} />
      </>
    )
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const meanings: Record<string, string> = {
  alg: 'How it is signed.',
  kid: "Which of the service's published keys signed it.",
  iss: 'Who issued it: this service.',
  sub: 'The verification that it stands for.',
  aud: 'For whom it is: your tenant.',
  jti: 'Its own id, by which it can be revoked.',
  iat: 'When it was issued.',
  exp: 'When it stops being valid.',
  over18: 'Whether the person is known to be 18 or over.',
}
