import { timeOfId } from '../ids.ts'
import { noDurations, type PackedDurations, packDuration } from '../usage/duration-histogram.ts'
import type { VerificationStatus } from '../verification-status.ts'
import type { VerificationState } from './verification.policy.ts'

/** The columns of `usage_day` that a completion adds to. */
export const completionCounts = [
  'approved',
  'denied',
  'rejected',
  'submitted',
  'resubmission',
  'opened',
  'user_submitted',
  'over18',
  'under18',
  'durations',
]

/** The end of an `insert into usage_day as d` that adds to the day's counts. */
export const addCounts = `on conflict (tenant_id, day) do update
       set ${completionCounts.map(name => `${name} = d.${name} + excluded.${name}`).join()}`

/** Whether the user of the completed `verification v` had submitted: the timeline tells, if it was rejected. */
export const userHadSubmitted = (status: 'w.status' | 'v.status') => `(${status} <> 'rejected'
       or exists (select from unnest(v.timeline) c where c.status in ('submitted', 'resubmission')))`

/** Whether the user of a verification that was completed had opened the hosted page. */
export function wasOpened(from: VerificationStatus, to: VerificationStatus): boolean {
  return from !== 'pending' || to !== 'rejected'
}

/** From the start to an approval or a denial, as a histogram. */
export function toDurations(
  verificationId: string,
  { status, completedAt }: Pick<VerificationState, 'status' | 'completedAt'>,
): PackedDurations {
  const isDecided = status === 'approved' || status === 'denied'
  if (!isDecided || !completedAt) return noDurations
  return packDuration(completedAt.getTime() - timeOfId(verificationId).getTime())
}
