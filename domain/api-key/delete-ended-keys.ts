import { int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import { endedKeyRetentionMs } from './api-key.policy.ts'

const batchSize = 1_000

/** Deletes a batch of keys that were revoked or expired 90 days ago or earlier. Returns how many. */
export async function deleteEndedKeys({ pool, now }: Scope): Promise<number> {
  const endedUntil = new Date(now.getTime() - endedKeyRetentionMs)
  const keys = await deleteKeysEndedUntil(pool, { endedUntil, limit: batchSize })
  return keys.length
}

// `least` ignores nulls. The condition is that of the index api_key_ended.
export const deleteKeysEndedUntil = statement({
  name: 'delete-ended-keys',
  text: `delete from api_key where ctid = any (array(
     select ctid from api_key where least(revoked_at, expires_at) <= :endedUntil
     order by least(revoked_at, expires_at) limit :limit for update skip locked
   )) returning id as "apiKeyId"`,
  values: { endedUntil: timestamp, limit: int },
  row: { apiKeyId: uuid },
})
