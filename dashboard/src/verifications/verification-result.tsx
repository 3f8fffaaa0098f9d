import { Stack, Text } from '@mantine/core'
import { Badge, type Tone } from '../components/badge.tsx'
import { type Status, statuses } from './status.ts'

interface Verification {
  status: Status
  /** Null until completion, where the age is unknown, and once the token is revoked. */
  over18: boolean | null
  tokenRevokedAt: string | null
}

/** The status with what it means. Only an approval of a person who is 18 or over looks like a pass. */
export function VerificationResult({ verification }: { verification: Verification }) {
  const { label, tone, meaning } = resultOf(verification)
  return (
    <Stack component="span" display="inline-flex" align="flex-start" gap="0.125rem" miw={0}>
      <Badge tone={tone}>{label}</Badge>
      <Text span size="xs" c="dimmed">
        {meaning}
      </Text>
    </Stack>
  )
}

interface Result {
  label: string
  tone: Tone
  meaning: string
}

export function resultOf({ status, over18, tokenRevokedAt }: Verification): Result {
  if (status !== 'approved') return statuses[status]
  if (tokenRevokedAt) return { label: 'Approved, token revoked', tone: 'denied', meaning: 'Do not admit' }
  if (over18) return { label: 'Approved · 18+', tone: 'approved', meaning: '18 or over confirmed' }
  return over18 === false
    ? { label: 'Approved, under 18', tone: 'attention', meaning: 'Not 18 or over' }
    : { label: 'Approved, age unknown', tone: 'attention', meaning: 'Age not confirmed' }
}
