import { arrayOf, date, double, jsonOf, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { TenantScope } from '../scope.ts'
import { listDays, type UsageDays, usageDays } from '../usage/usage-days.ts'
import { addDays, dayOf } from '../usage/usage-period.ts'
import { ApiKey } from './api-key.entity.ts'
import { type KeyCount, type KeyFailure, noKeyCounts } from './api-key.policy.ts'
import { ApiKeyUsage } from './api-key-usage.entity.ts'
import { getApiKey } from './get-api-key.ts'

/** The last 30 days if `from` is omitted. */
export interface KeyUsageRequest extends UsageDays {
  apiKeyId: string
}

/**
 * Requests of a key that were admitted on a UTC day: those with a valid key that has the scope, also beyond the rate limit
 * and with invalid input, as they count for the rate limit and for the last use. Counts are written every 10 seconds; what a
 * process has counted since is lost if it is killed.
 */
export interface KeyUsageDay extends Record<KeyCount, number> {
  day: string
}

const recentDays = 30

/**
 * One item per day, including days without requests. Throws `INVALID_PARAMETERS` for an unknown key and for more than 366
 * days.
 */
export async function listKeyUsage(scope: TenantScope, request: KeyUsageRequest): Promise<KeyUsageDay[]> {
  const { from, to, count } = usageDays(scope, request, firstOfRecent)
  const { tenantId, id: apiKeyId } = await getApiKey(scope, request)
  const found = await scope.em.find(ApiKeyUsage, { tenantId, apiKeyId, day: { $gte: from, $lte: to } })
  const byDay = new Map(found.map(usage => [usage.day, usage]))
  return listDays(from, count).map(day => presentDay(day, byDay.get(day)))
}

/** A key of which requests were answered with 429. */
export interface LimitedKey extends RecentRequests {
  key: ApiKey
}

const limitedKeysMax = 20

/** The tenant's keys of which requests were answered with 429 since a UTC day; those with the most first, 20 at most. */
export async function listLimitedKeys(scope: TenantScope, { from }: { from: string }): Promise<LimitedKey[]> {
  const { tenantId } = scope.actor
  const where = { tenantId, day: { $gte: from }, rateLimited: { $gt: 0 } }
  const limited = await scope.em.find(ApiKeyUsage, where, { fields: ['apiKeyId'] })
  const id = { $in: [...new Set(limited.map(({ apiKeyId }) => apiKeyId))] }
  const keys = await scope.em.find(ApiKey, { tenantId, id })
  const counts = await countRecentRequests(scope, keys, from)
  return keys
    .map(key => ({ key, ...counts.get(key.id)! }))
    .toSorted((one, other) => other.rateLimited - one.rateLimited)
    .slice(0, limitedKeysMax)
}

export interface RecentRequests extends Record<KeyFailure, number> {
  /** Of all endpoints, those that failed included. */
  requests: number
}

/** How many requests each of these keys had since a UTC day, by default in the last 30, today included; absent for none. */
export async function countRecentRequests(
  { pool, actor, now }: TenantScope,
  keys: readonly ApiKey[],
  from = firstOfRecent(now),
): Promise<Map<string, RecentRequests>> {
  const apiKeyIds = keys.map(({ id }) => id)
  const counted = await sumKeyRequests(pool, { tenantId: actor.tenantId, apiKeyIds, from })
  return new Map(counted.map(({ apiKeyId, ...counts }) => [apiKeyId, counts]))
}

export const sumKeyRequests = statement({
  name: 'sum-key-requests',
  text: `select api_key_id as "apiKeyId",
     sum(starts::bigint + status_reads + submits + completes + validations)::float8 as requests,
     sum(client_errors)::float8 as "clientErrors", sum(rate_limited)::float8 as "rateLimited"
   from api_key_usage where tenant_id = :tenantId and api_key_id = any (:apiKeyIds) and day >= :from
   group by api_key_id`,
  values: { tenantId: uuid, apiKeyIds: arrayOf(uuid), from: date },
  row: { apiKeyId: uuid, requests: double, clientErrors: double, rateLimited: double },
})

/** How many requests each of these keys had on each of the last 30 UTC days, oldest first; absent for none. */
export async function listDailyRequests(
  { pool, actor, now }: TenantScope,
  keys: readonly ApiKey[],
): Promise<Map<string, number[]>> {
  const from = firstOfRecent(now)
  const apiKeyIds = keys.map(({ id }) => id)
  const counted = await sumDailyKeyRequests(pool, { tenantId: actor.tenantId, apiKeyIds, from })
  const days = listDays(from, recentDays)
  return new Map(counted.map(({ apiKeyId, byDay }) => [apiKeyId, days.map(day => byDay[day] ?? 0)]))
}

export const sumDailyKeyRequests = statement({
  name: 'sum-daily-key-requests',
  text: `select api_key_id as "apiKeyId",
     jsonb_object_agg(day, starts::bigint + status_reads + submits + completes + validations) as "byDay"
   from api_key_usage where tenant_id = :tenantId and api_key_id = any (:apiKeyIds) and day >= :from
   group by api_key_id`,
  values: { tenantId: uuid, apiKeyIds: arrayOf(uuid), from: date },
  row: { apiKeyId: uuid, byDay: jsonOf<Record<string, number>>() },
})

function firstOfRecent(last: Date): string {
  return addDays(dayOf(last), 1 - recentDays)
}

function presentDay(day: string, usage: ApiKeyUsage | undefined): KeyUsageDay {
  const { starts, statusReads, submits, completes, validations, clientErrors, rateLimited } =
    usage ?? noKeyCounts
  return { day, starts, statusReads, submits, completes, validations, clientErrors, rateLimited }
}
