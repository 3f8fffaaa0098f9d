import { int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { firstIdAt } from '../ids.ts'
import type { Scope } from '../scope.ts'
import { endedInvitationRetentionMs } from './invitation.policy.ts'

const batchSize = 1_000

/** Deletes invitations that expired 90 days ago, whatever became of them. Returns their number. */
export async function deleteEndedInvitations(scope: Scope): Promise<number> {
  const expiredUntil = new Date(scope.now.getTime() - endedInvitationRetentionMs)
  const deleted = await deleteInvitations(scope.pool, {
    firstKept: firstIdAt(expiredUntil),
    expiredUntil,
    limit: batchSize,
  })
  return deleted.length
}

// The primary key begins with the tenant, so the oldest invitations of each tenant are looked at: those that were created
// before the others expired.
export const deleteInvitations = statement({
  name: 'delete-ended-invitations',
  text: `delete from invitation where ctid = any (array(
     select old.ctid from tenant t cross join lateral (
       select ctid from invitation where tenant_id = t.id and id < :firstKept and expires_at < :expiredUntil
       order by id limit :limit
     ) old limit :limit
   )) returning id`,
  values: { firstKept: uuid, expiredUntil: timestamp, limit: int },
  row: { id: uuid },
})
