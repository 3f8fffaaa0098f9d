import { int, text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import { keyLifetimeMs } from './with-idempotency-key.ts'

const batchSize = 1000

/** Deletes idempotency keys that are older than 24 hours. Returns their number. */
export async function deleteIdempotencyKeys(scope: Scope): Promise<number> {
  const createdUntil = new Date(scope.now.getTime() - keyLifetimeMs)
  return (await deleteExpiredKeys(scope.pool, { createdUntil, limit: batchSize })).length
}

export const deleteExpiredKeys = statement({
  name: 'delete-idempotency-keys',
  text: `delete from idempotency_key k using (
     select tenant_id, key from idempotency_key where created_at <= :createdUntil
     order by created_at limit :limit for update skip locked
   ) expired
   where k.tenant_id = expired.tenant_id and k.key = expired.key returning k.key`,
  values: { createdUntil: timestamp, limit: int },
  row: { key: text },
})
