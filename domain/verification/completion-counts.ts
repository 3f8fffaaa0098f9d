import type { VerificationStatus } from '../verification-status.ts'
import { completedStatuses } from './verification.policy.ts'

/** What completions, the rows of `changed`, add to the columns of `usage_day`. */
export const completionCounts: Record<string, string> = {
  ...Object.fromEntries(completedStatuses.map(status => [status, countWhere(`status = '${status}'`)])),
  opened: countWhere('was_opened'),
  user_submitted: countWhere('user_submitted'),
  over18: countWhere('over18'),
  under18: countWhere('not over18'),
}

function countWhere(condition: string): string {
  return `count(*) filter (where ${condition})`
}

/** The end of an `insert into usage_day as d` that adds to the day's counts. */
export const addCounts = `on conflict (tenant_id, day) do update
       set ${Object.keys(completionCounts)
         .map(name => `${name} = d.${name} + excluded.${name}`)
         .join()}`

/** Whether the user of the completed `verification v` had submitted: the timeline tells, if it was rejected. */
export const userHadSubmitted = (status: 'w.status' | 'v.status') => `(${status} <> 'rejected'
       or exists (select from unnest(v.timeline) c where c.status in ('submitted', 'resubmission')))`

/** Whether the user of a verification that was completed had opened the hosted page. */
export function wasOpened(from: VerificationStatus, to: VerificationStatus): boolean {
  return from !== 'pending' || to !== 'rejected'
}
