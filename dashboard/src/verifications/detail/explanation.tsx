import { Alert, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Tone } from '../../components/badge.tsx'
import { toMinute } from '../../components/dates.ts'
import { Timestamp } from '../../components/timestamp.tsx'
import { DocsLink, TenantLink } from '../../session/links.tsx'
import type { Outputs } from '../../trpc/trpc.ts'
import { type Status, statuses } from '../status.ts'
import { resultOf } from '../verification-result.tsx'

type Verification = Outputs['verifications']['get']

/** Of the verdict's heading, which has the focus after a change of it. */
export const verdictId = 'verdict'

/** The verdict in one line, with a revocation before everything else, and below it why it is so or what happens next. */
export function Explanation({ verification }: { verification: Verification }) {
  const [verdict, details] = explain(verification)
  return (
    <Alert color={toneColors[resultOf(verification).tone]} role="note">
      <Title order={3} mb="0.25rem" id={verdictId} tabIndex={-1} style={{ outline: 'none' }}>
        {verdict}
      </Title>
      {details}
    </Alert>
  )
}

/** Of alerts. */
const toneColors: Record<Tone, string> = {
  approved: 'green',
  denied: 'red',
  rejected: 'gray',
  attention: 'orange',
  waiting: 'blue',
  neutral: 'blue',
}

const nextSteps: Partial<Record<Status, string>> = {
  pending: 'Waiting for the user to open the check',
  started: 'Waiting for the user to submit',
  submitted: "Waiting for the identity provider's decision",
  resubmission: 'Waiting for the user to submit again',
}

function explain(verification: Verification): [verdict: string, details: ReactNode] {
  const { status, over18, completedAt, tokenRevokedAt, advice, timeline } = verification
  if (!completedAt) return [nextSteps[status] ?? 'Open', <Open key="open" verification={verification} />]
  if (tokenRevokedAt) {
    const byProvider = timeline.some(({ at, applied }) => at === tokenRevokedAt && !applied)
    const details = (
      <>
        Revoked on <Timestamp at={tokenRevokedAt} seconds />.{' '}
        {byProvider ? 'The identity provider denied it late.' : <Revoker at={tokenRevokedAt} />} It was approved before.
        Its status has <code>over18: null</code> and no token, and validating the token returns TOKEN_REVOKED.
      </>
    )
    return ["Token revoked: don't admit this user", details]
  }
  if (status !== 'approved') {
    const verdict = `${statuses[status].label}: ${resultOf(verification).why.toLowerCase()}`
    return [verdict, <Advice key="advice" advice={advice} />]
  }
  if (over18) return ['Approved: 18 or over', 'Its token says so until it expires or is revoked.']
  const isMinor = over18 === false
  const details = (
    <>
      {isMinor
        ? 'The check passed, and it showed that the user is under 18.'
        : 'The check passed, but the identity provider reported no age to rely on.'}{' '}
      The token has <code>over18: false</code>, and validating it returns UNDERAGE_OR_UNKNOWN.
    </>
  )
  return [`${isMinor ? 'Under 18' : 'Age not confirmed'}: don't admit this user`, details]
}

/** Leads to the revocations of that minute. */
function Revoker({ at }: { at: string }) {
  const minute = toMinute(new Date(at), 'local')
  return <TenantLink to={`/audit-log?action=token.revoke&from=${minute}&to=${minute}`}>See who revoked it.</TenantLink>
}

function Open({ verification: { status, timeline, closesAt } }: { verification: Verification }) {
  const latest = timeline.findLast(({ applied }) => applied)
  const statusAtEnd = status === 'pending' || status === 'started' ? 'rejected' : status
  return (
    <Stack gap="xs">
      {status === 'resubmission' && (
        <Text inherit>{latest?.description ?? 'The identity provider gave no reason'}.</Text>
      )}
      {closesAt && (
        <Text inherit>
          It stays open until <Timestamp at={closesAt} />. Without a decision by then, it ends as{' '}
          {statuses[statusAtEnd].label.toLowerCase()}.
        </Text>
      )}
    </Stack>
  )
}

/** What to do for the user. Of the reason, the timeline has the codes. */
function Advice({ advice }: Pick<Verification, 'advice'>) {
  if (advice === null) return 'Nothing was judged. Offer another verification.'
  return (
    <>
      {advice} <DocsLink to="life-cycle#why-a-verification-was-denied">What to tell users</DocsLink>
    </>
  )
}
