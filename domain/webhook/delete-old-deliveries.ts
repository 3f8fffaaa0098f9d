import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import { createdTooEarly } from './delivery.policy.ts'

const batch = 2_000

const drop = statement<{ id: string }>(
  'drop-old-deliveries',
  `delete from delivery where id in (
     select id from delivery where created_at <= $1 order by created_at limit $2 for update skip locked
   ) returning id`,
)

/** Deletes deliveries that were made 24 hours ago or earlier, finished or not. Answers with their number. */
export async function deleteOldDeliveries(scope: Scope): Promise<number> {
  return (await drop(scope.pool, [createdTooEarly(scope.now), batch])).length
}
