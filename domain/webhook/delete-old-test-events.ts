import { int, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import { createdTooEarly } from './delivery.policy.ts'

const batchSize = 2_000

/** Deletes a batch of the test events of 24 hours ago and earlier. Returns their number. */
export async function deleteOldTestEvents({ pool, now }: Scope): Promise<number> {
  return (await deleteTestEventsUntil(pool, { createdUntil: createdTooEarly(now), limit: batchSize })).length
}

export const deleteTestEventsUntil = statement({
  name: 'delete-old-test-events',
  text: `delete from test_event where ctid = any (array(
     select ctid from test_event where at <= :createdUntil order by at limit :limit for update skip locked
   )) returning id`,
  values: { createdUntil: timestamp, limit: int },
  row: { id: int },
})
