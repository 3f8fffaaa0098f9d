import { int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import { testRetentionMs } from '../tenant/test-tenant.policy.ts'

const batchSize = 1_000

/** Deletes a batch of the test provider's sessions, 30 days after their creation. Returns their number. */
export async function deleteOldSessions({ pool, now }: Scope): Promise<number> {
  const createdUntil = new Date(now.getTime() - testRetentionMs)
  return (await deleteSessionsCreatedUntil(pool, { createdUntil, limit: batchSize })).length
}

export const deleteSessionsCreatedUntil = statement({
  name: 'delete-old-simulated-sessions',
  text: `delete from simulated_session where ctid = any (array(
     select ctid from simulated_session where created_at <= :createdUntil
     order by created_at limit :limit for update skip locked
   )) returning id`,
  values: { createdUntil: timestamp, limit: int },
  row: { id: uuid },
})
