import { int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { firstIdAt } from '../ids.ts'
import type { Scope } from '../scope.ts'
import { keyLifetimeMs } from './idempotency-lock.ts'

const batchSize = 1000

/** Deletes idempotency keys that are older than 24 hours. Returns their number. Throws `DATABASE_ERROR`. */
export async function deleteIdempotencyKeys({ pool, now }: Scope): Promise<number> {
  const createdUntil = new Date(now.getTime() - keyLifetimeMs)
  const before = firstIdAt(createdUntil)
  return (await deleteKeysCreatedUntil(pool, { before, createdUntil, limit: batchSize })).length
}

export const deleteKeysCreatedUntil = statement({
  name: 'delete-idempotency-keys',
  text: `delete from idempotency_key where ctid = any (array(
     select ctid from idempotency_key where verification_id < :before and created_at <= :createdUntil
     order by verification_id limit :limit for update skip locked
   )) returning key_digest as "keyDigest"`,
  values: { before: uuid, createdUntil: timestamp, limit: int },
  row: { keyDigest: uuid },
})
