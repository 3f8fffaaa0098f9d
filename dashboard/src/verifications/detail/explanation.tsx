import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Timestamp } from '../../components/timestamp.tsx'
import type { Outputs } from '../../trpc/trpc.ts'
import { type Status, statuses } from '../status.ts'
import { codesOf, type Report } from './timeline-entries.ts'

type Verification = Outputs['verifications']['get']

/** Why a verification has its result, or what happens next. Nothing for an approval of a person who is 18 or over. */
export function Explanation({ verification }: { verification: Verification }) {
  const { status, over18, completedAt, tokenRevokedAt } = verification
  if (!completedAt) return <Open verification={verification} />
  if (tokenRevokedAt) return <TokenRevoked />
  if (status === 'approved') return over18 ? null : <ApprovedWithoutAge isUnder18={over18 === false} />
  return <Undesired verification={verification} />
}

/** A verification that ended without an approval. */
function Undesired({ verification: { status, decision } }: { verification: Verification }) {
  return (
    <Note
      color={status === 'denied' ? 'red' : 'gray'}
      title={headings[status] ?? 'Why it ended without a decision'}
    >
      <Text inherit>{sentence(decision?.description) ?? 'The identity provider gave no reason.'}</Text>
      <Codes report={decision} />
    </Note>
  )
}

const headings: Partial<Record<Status, string>> = {
  denied: 'Why it was denied',
  rejected: 'Why it was rejected',
}

function TokenRevoked() {
  return (
    <Note color="red" title="The token was revoked">
      <Text inherit>
        Don't admit this user any more. The verification stays approved, but its status has{' '}
        <code>over18: null</code> and no token, and validating the token returns TOKEN_REVOKED.
      </Text>
    </Note>
  )
}

function ApprovedWithoutAge({ isUnder18 }: { isUnder18: boolean }) {
  return (
    <Note color="orange" title={isUnder18 ? 'This user is under 18' : "This user's age is not confirmed"}>
      <Text inherit>
        {isUnder18
          ? 'The check passed, and it showed that the user is under 18.'
          : 'The check passed, but the identity provider reported no age to rely on.'}{' '}
        The token has <code>over18: false</code>, and validating it returns UNDERAGE_OR_UNKNOWN.
      </Text>
    </Note>
  )
}

function Open({ verification: { status, timeline, closesAt } }: { verification: Verification }) {
  const latest = timeline.findLast(({ applied }) => applied)
  return (
    <Note
      color={statuses[status].tone === 'attention' ? 'orange' : 'blue'}
      title={nextSteps[status] ?? 'Open'}
    >
      {status === 'resubmission' && (
        <>
          <Text inherit>{sentence(latest?.description)}</Text>
          <Codes report={latest} />
        </>
      )}
      {closesAt && (
        <Text inherit>
          It stays open until <Timestamp at={closesAt} />. Without a decision by then, it ends as{' '}
          {statuses[statusAtEnd(status)].label.toLowerCase()}.
        </Text>
      )}
    </Note>
  )
}

const nextSteps: Partial<Record<Status, string>> = {
  pending: 'Waiting for the user to open the check',
  started: 'Waiting for the user to submit',
  submitted: "Waiting for the identity provider's decision",
  resubmission: 'Waiting for the user to submit again',
}

/** The status in which the service completes an open verification at the end of its lifetime. */
function statusAtEnd(status: Status): Status {
  return status === 'pending' || status === 'started' ? 'rejected' : status
}

function Codes({ report }: { report: Report | null | undefined }) {
  const codes = report && codesOf(report)
  return codes ? (
    <Text size="xs" c="dimmed">
      {codes}, from the identity provider
    </Text>
  ) : null
}

function Note({ color, title, children }: { color: string; title: string; children: ReactNode }) {
  return (
    <Alert variant="light" color={color} title={title} role="note">
      <Stack gap="0.25rem">{children}</Stack>
    </Alert>
  )
}

function sentence(text: string | null | undefined): string | undefined {
  return text ? `${text}.` : undefined
}
