import type { ReactNode } from 'react'
import { DescriptionList } from '../../components/description-list.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { DocsLink } from '../../session/links.tsx'

/** What a token says. */
export function TokenClaims({ claims }: { claims: Record<string, unknown> }) {
  const items = Object.entries(claims).map(([name, value]) => ({ name, value: formatClaim(name, value) }))
  return (
    <>
      <DescriptionList items={items} />
      <DocsLink to="tokens#claims">What each claim has to be</DocsLink>
    </>
  )
}

/** Seconds also as a time. */
function formatClaim(name: string, value: unknown): ReactNode {
  if ((name === 'iat' || name === 'exp') && typeof value === 'number')
    return [`${value} – `, <Timestamp key="at" at={new Date(value * 1_000).toISOString()} seconds />]
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
