import { arrayOf, date, int, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { KeyRequest } from './api-key.policy.ts'

/** How many requests of a key were admitted on a UTC day. */
export interface KeyRequests extends Record<KeyRequest, number> {
  tenantId: string
  apiKeyId: string
  /** `YYYY-MM-DD`. */
  day: string
}

/**
 * Adds to the counts of keys; those of keys that are deleted are dropped. No two of `counts` are of the same key and day.
 * Throws `DATABASE_ERROR`.
 */
export async function recordKeyRequests(pool: StatementPool, counts: readonly KeyRequests[]): Promise<void> {
  if (counts.length === 0) return
  await addKeyRequests(pool, {
    tenantIds: counts.map(({ tenantId }) => tenantId),
    apiKeyIds: counts.map(({ apiKeyId }) => apiKeyId),
    days: counts.map(({ day }) => day),
    starts: counts.map(({ starts }) => starts),
    statusReads: counts.map(({ statusReads }) => statusReads),
    submits: counts.map(({ submits }) => submits),
    completes: counts.map(({ completes }) => completes),
    validations: counts.map(({ validations }) => validations),
  })
}

// In the order of the primary key, so that processes that count the same keys concurrently don't deadlock.
export const addKeyRequests = statement({
  name: 'add-key-requests',
  text: `insert into api_key_usage as u
     (tenant_id, api_key_id, day, starts, status_reads, submits, completes, validations)
   select k.tenant_id, k.id, c.day, c.starts, c.status_reads, c.submits, c.completes, c.validations
   from unnest(:tenantIds, :apiKeyIds, :days, :starts, :statusReads, :submits, :completes, :validations)
     as c (tenant_id, id, day, starts, status_reads, submits, completes, validations)
   join api_key k on k.tenant_id = c.tenant_id and k.id = c.id
   order by k.tenant_id, k.id, c.day
   on conflict (tenant_id, api_key_id, day) do update set starts = u.starts + excluded.starts,
     status_reads = u.status_reads + excluded.status_reads, submits = u.submits + excluded.submits,
     completes = u.completes + excluded.completes, validations = u.validations + excluded.validations`,
  values: {
    tenantIds: arrayOf(uuid),
    apiKeyIds: arrayOf(uuid),
    days: arrayOf(date),
    starts: arrayOf(int),
    statusReads: arrayOf(int),
    submits: arrayOf(int),
    completes: arrayOf(int),
    validations: arrayOf(int),
  },
  row: {},
})
