import type { CSSProperties } from 'react'
import { Badge, type Tone } from '../components/badge.tsx'
import { type Status, statuses } from './status.ts'
import classes from './verification-table.module.css'

export interface Verification {
  status: Status
  /** Null until completion, where the age is unknown, and once the token is revoked. */
  over18: boolean | null
  tokenRevokedAt: string | null
  /** In a few words, why it was not approved, or what a resubmission is for. */
  reason: string | null
}

/** The outcome in a list: coloured where someone should look, a dot where all is well. */
export function VerificationResult({ verification }: { verification: Verification }) {
  const { label, tone } = resultOf(verification)
  if (tone === 'denied' || tone === 'attention') return <Badge tone={tone}>{label}</Badge>
  return (
    <span className={classes.quiet} style={{ '--tone': `var(--${tone})` } as CSSProperties}>
      {label}
    </span>
  )
}

interface Result {
  label: string
  tone: Tone
  /** Why it is so, or what it waits for. */
  why: string
}

/** Only an approval of a person who is 18 or over, and whose token holds, looks like a pass. */
export function resultOf({ status, over18, tokenRevokedAt, reason }: Verification): Result {
  const { label, tone, meaning } = statuses[status]
  if (status !== 'approved') return { label, tone, why: reason ?? (status === 'denied' ? 'No reason given' : meaning) }
  if (tokenRevokedAt) return { label: 'Revoked', tone: 'denied', why: "Don't admit this user" }
  if (over18) return { label: 'Approved · 18+', tone, why: '' }
  return over18 === false
    ? { label: 'Under 18', tone: 'attention', why: 'The check passed' }
    : { label: 'Age unknown', tone: 'attention', why: 'No age to rely on' }
}
