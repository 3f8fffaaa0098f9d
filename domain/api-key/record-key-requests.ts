import { date, int, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import { arrayTypes, toArrays } from '../database/value-arrays.ts'
import type { KeyCount } from './api-key.policy.ts'

/** How many requests of a key were admitted on a UTC day, and how many of them failed. */
export interface KeyRequests extends Record<KeyCount, number> {
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
  await addKeyRequests(pool, toArrays(Object.keys(requestValues), counts))
}

const requestValues = {
  tenantId: uuid,
  apiKeyId: uuid,
  day: date,
  starts: int,
  statusReads: int,
  submits: int,
  completes: int,
  validations: int,
  clientErrors: int,
  rateLimited: int,
}

// In the order of the primary key, so that processes that count the same keys concurrently don't deadlock.
export const addKeyRequests = statement({
  name: 'add-key-requests',
  text: `insert into api_key_usage as u
     (tenant_id, api_key_id, day, starts, status_reads, submits, completes, validations, client_errors, rate_limited)
   select k.tenant_id, k.id, c.day, c.starts, c.status_reads, c.submits, c.completes, c.validations,
     c.client_errors, c.rate_limited
   from unnest(:tenantId, :apiKeyId, :day, :starts, :statusReads, :submits, :completes, :validations,
     :clientErrors, :rateLimited)
     as c (tenant_id, id, day, starts, status_reads, submits, completes, validations, client_errors, rate_limited)
   join api_key k on k.tenant_id = c.tenant_id and k.id = c.id
   order by k.tenant_id, k.id, c.day
   on conflict (tenant_id, api_key_id, day) do update set starts = u.starts + excluded.starts,
     status_reads = u.status_reads + excluded.status_reads, submits = u.submits + excluded.submits,
     completes = u.completes + excluded.completes, validations = u.validations + excluded.validations,
     client_errors = u.client_errors + excluded.client_errors, rate_limited = u.rate_limited + excluded.rate_limited`,
  values: arrayTypes(requestValues),
  row: {},
})

export interface KeyUse {
  tenantId: string
  apiKeyId: string
  at: Date
}

/** Records when keys were last used, to the minute, never backwards and not before their creation. Throws `DATABASE_ERROR`. */
export async function recordKeyUse(pool: StatementPool, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) return
  await updateLastUse(pool, toArrays(Object.keys(useValues), uses))
}

const useValues = { tenantId: uuid, apiKeyId: uuid, at: timestamp }

// Locked in the order of their ids, so that processes that record the same keys concurrently don't deadlock.
export const updateLastUse = statement({
  name: 'record-key-use',
  text: `with used as (
     select k.tenant_id, k.id, greatest(u.at, k.created_at) as at from api_key k
     join (
       select tenant_id, id, date_trunc('minute', at) as at
       from unnest(:tenantId, :apiKeyId, :at) as u (tenant_id, id, at)
     ) u on u.tenant_id = k.tenant_id and u.id = k.id
     where k.last_used_at is null or k.last_used_at < u.at
     order by k.tenant_id, k.id for no key update of k
   )
   update api_key k set last_used_at = used.at from used where k.tenant_id = used.tenant_id and k.id = used.id`,
  values: arrayTypes(useValues),
  row: {},
})
