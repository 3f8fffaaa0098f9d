import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DescriptionList } from '../../components/description-list.tsx'
import { Timestamp } from '../../components/timestamp.tsx'

interface Token {
  kid: string
  /** Null if the token cannot be decoded. */
  claims: Record<string, unknown> | null
}

export function TokenClaims({ token: { kid, claims } }: { token: Token }) {
  if (!claims) return <Text>This token cannot be decoded.</Text>
  const items = Object.entries({ kid, ...claims }).map(([name, value]) => ({
    name,
    value: (
      <>
        {formatClaim(name, value)}
        <Text c="dimmed">{descriptions[name] ?? 'Unknown claim.'}</Text>
      </>
    ),
  }))
  return <DescriptionList items={items} />
}

function formatClaim(name: string, value: unknown): ReactNode {
  if ((name === 'iat' || name === 'exp') && typeof value === 'number') {
    return (
      <>
        {value} – <Timestamp at={new Date(value * 1_000).toISOString()} seconds />
      </>
    )
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const descriptions: Record<string, string> = {
  kid: "The ID of the signing key, one of the service's published keys.",
  iss: 'The issuer: this service.',
  sub: 'The verification ID.',
  aud: 'The audience: your tenant.',
  jti: 'The unique ID of this token, used for revocation.',
  iat: 'The time of issue.',
  exp: 'The expiry time.',
  over18: 'Whether the person is confirmed to be 18 or over.',
  status: 'The address of its status list and its place in it, where it is marked if it is revoked.',
}
