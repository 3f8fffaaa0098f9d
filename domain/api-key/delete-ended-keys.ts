import { date, int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import { addDays, dayOf } from '../usage/usage-period.ts'
import { endedKeyRetentionMs, keyUsageRetentionDays } from './api-key.policy.ts'

/** Keys at a time: each can have counts of hundreds of days. */
const batchSize = 100
/** Of old counts. */
const countsBatchSize = 1_000

/**
 * Deletes keys that were revoked or expired 90 days ago or earlier with the counts of their requests, and counts of days that
 * are 400 days ago or longer. Returns how many rows were due.
 */
export async function deleteEndedKeys({ pool, now }: Scope): Promise<number> {
  const endedUntil = new Date(now.getTime() - endedKeyRetentionMs)
  const keys = await deleteKeysEndedUntil(pool, { endedUntil, limit: batchSize })
  const firstKept = addDays(dayOf(now), 1 - keyUsageRetentionDays)
  const counts = await deleteOldKeyUsage(pool, { firstKept, limit: countsBatchSize })
  return keys.length + counts.length
}

// `least` ignores nulls. The condition is that of the index api_key_ended.
export const deleteKeysEndedUntil = statement({
  name: 'delete-ended-keys',
  text: `with ended as (
     delete from api_key where ctid = any (array(
       select ctid from api_key where least(revoked_at, expires_at) <= :endedUntil
       order by least(revoked_at, expires_at) limit :limit for update skip locked
     )) returning tenant_id, id
   ), counts as (
     delete from api_key_usage u using ended where u.tenant_id = ended.tenant_id and u.api_key_id = ended.id
   )
   select id as "apiKeyId" from ended`,
  values: { endedUntil: timestamp, limit: int },
  row: { apiKeyId: uuid },
})

export const deleteOldKeyUsage = statement({
  name: 'delete-old-key-usage',
  text: `delete from api_key_usage where ctid = any (array(
     select ctid from api_key_usage where day < :firstKept order by day limit :limit for update skip locked
   )) returning api_key_id as "apiKeyId"`,
  values: { firstKept: date, limit: int },
  row: { apiKeyId: uuid },
})
