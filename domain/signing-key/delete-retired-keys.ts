import { text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { retainedFrom } from '../retention.policy.ts'
import type { Scope } from '../scope.ts'

/**
 * Deletes signing keys, with their private parts, that were retired so long ago that every verification whose token they
 * signed has expired. Returns their number.
 */
export async function deleteRetiredKeys(scope: Scope): Promise<number> {
  return (await deleteKeysRetiredUntil(scope.pool, { retiredUntil: retainedFrom(scope) })).length
}

export const deleteKeysRetiredUntil = statement({
  name: 'delete-retired-keys',
  text: 'delete from signing_key where retired_at <= :retiredUntil returning kid',
  values: { retiredUntil: timestamp },
  row: { kid: text },
})
