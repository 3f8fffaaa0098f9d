import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DescriptionList } from '../../components/description-list.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useConfig } from '../../config.ts'

/** What a token says, and what each part has to be. */
export function TokenClaims({ claims }: { claims: Record<string, unknown> }) {
  const { baseUrl } = useConfig()
  const issuer = `The issuer. This service's is ${baseUrl}, and for test tenants ${baseUrl}/test.`
  const items = Object.entries(claims).map(([name, value]) => ({
    name,
    value: (
      <>
        {formatClaim(name, value)}
        <Text c="dimmed">{name === 'iss' ? issuer : descriptions[name]}</Text>
      </>
    ),
  }))
  return <DescriptionList items={items} />
}

/** Seconds also as a time. */
function formatClaim(name: string, value: unknown): ReactNode {
  if ((name === 'iat' || name === 'exp') && typeof value === 'number')
    return [`${value} – `, <Timestamp key="at" at={new Date(value * 1_000).toISOString()} seconds />]
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const descriptions: Record<string, string> = {
  kid: 'The ID of the signing key, which has to be among those that the service publishes.',
  sub: 'The verification ID.',
  aud: 'The audience: the tenant that it was issued to.',
  jti: 'The unique ID of this token, used for revocation.',
  iat: 'The time of issue.',
  exp: 'The expiry time.',
  over18: 'True if the person is 18 or over; false if not, and if the age is unknown.',
  status: 'The address of its status list and its place in it, where it is marked if it is revoked.',
}
