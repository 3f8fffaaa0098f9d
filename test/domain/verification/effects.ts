import { storedChanges, storedTokens } from '../../harness/stored-rows.ts'
import type { Fixture } from './fixture.ts'

export interface Effects {
  status: string
  deliveries: number
  tokens: number
  /** The status in the webhook event. */
  notifiedStatus: string | null
  /** The status of the newest applied timeline entry. */
  lastMove: string | null
  /** Timeline entries that no transition leads to from the one before. */
  brokenSteps: number
  /** Contradictions recorded more than once. */
  repeatedContradictions: number
}

/** What a verification has stored in the database. */
export async function effectsOf(
  fixture: Fixture,
  verificationId: string,
): Promise<{ completedAt: string | null; effects: Effects }> {
  const [row] = await fixture.rows<Effects & { completedAt: string | null }>(
    `with moves as (
       select revision, status, lag(status, 1, 'pending'::verification_status) over (order by revision) as came_from,
         attempt is not distinct from lag(attempt) over (order by revision) as is_same_attempt
       from ${storedChanges} c where verification_id = $1 and applied
     )
     select v.status, v.completed_at as "completedAt",
       (select count(*)::int from delivery where verification_id = $1) as deliveries,
       (select count(*)::int from ${storedTokens} t where verification_id = $1) as tokens,
       (select status from delivery where verification_id = $1) as "notifiedStatus",
       (select status from moves order by revision desc limit 1) as "lastMove",
       (select count(*)::int from moves where came_from in ('approved', 'denied', 'rejected')
          or (status = 'started' and came_from not in ('pending', 'started', 'resubmission'))
          or (status = 'started' and came_from = 'started' and is_same_attempt)) as "brokenSteps",
       (select count(*)::int from (
          select from ${storedChanges} c where verification_id = $1 and not applied
          group by status, attempt, decided_at having count(*) > 1
        ) repeated) as "repeatedContradictions"
     from verification v where id = $1`,
    [verificationId],
  )
  if (!row) throw new Error('there is no such verification')
  const { completedAt, ...effects } = row
  return { completedAt, effects }
}
