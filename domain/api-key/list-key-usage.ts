import { sql } from 'kysely'
import { validate } from 'uuid'
import { rowsOf, tables } from '../database/tables.ts'
import type { TenantScope } from '../scope.ts'
import { daysOf, type UsageDays, usageDays } from '../usage/usage-days.ts'
import { addDays, dayOf } from '../usage/usage-period.ts'
import { ApiKey } from './api-key.entity.ts'
import type { KeyRequest } from './api-key.policy.ts'
import { ApiKeyUsage } from './api-key-usage.entity.ts'
import { unknownApiKey } from './revoke-api-key.ts'

/** The last 30 days if `from` is omitted. */
export interface KeyUsageRequest extends UsageDays {
  apiKeyId: string
}

/**
 * Requests of a key that were admitted on a UTC day: those with a valid key that has the scope, also beyond the rate limit
 * and with invalid input, as they count for the rate limit and for the last use. Counts are written every 10 seconds; what a
 * process has counted since is lost if it is killed.
 */
export interface KeyUsageDay extends Record<KeyRequest, number> {
  day: string
}

const recentDays = 30

/**
 * One item per day, including days without requests. Throws `INVALID_PARAMETERS` for an unknown key and for more than 366
 * days.
 */
export async function listKeyUsage(scope: TenantScope, request: KeyUsageRequest): Promise<KeyUsageDay[]> {
  const { em } = scope
  const { tenantId } = scope.actor
  const { apiKeyId } = request
  const { from, to, count } = usageDays(scope, request, firstOfRecent)
  if (!validate(apiKeyId) || !(await em.count(ApiKey, { tenantId, id: apiKeyId })))
    throw unknownApiKey(apiKeyId)
  const found = await em.find(ApiKeyUsage, { tenantId, apiKeyId, day: { $gte: from, $lte: to } })
  const byDay = new Map(found.map(usage => [usage.day, usage]))
  return daysOf(from, count).map(day => presentDay(day, byDay.get(day)))
}

/** How many requests each of these keys had in the last 30 UTC days, today included; absent for none. */
export async function countRecentRequests(
  { em, actor, now }: TenantScope,
  keys: readonly ApiKey[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const counted = tables(em)
    .selectFrom('api_key_usage')
    .select([
      'api_key_id',
      sql<string>`sum(starts::bigint + status_reads + submits + completes + validations)`.as('requests'),
    ])
    .where('tenant_id', '=', actor.tenantId)
    .where(
      'api_key_id',
      'in',
      keys.map(({ id }) => id),
    )
    .where('day', '>=', firstOfRecent(now))
    .groupBy('api_key_id')
  const rows = await rowsOf(counted)
  return new Map(rows.map(({ api_key_id, requests }) => [api_key_id, Number(requests)]))
}

function firstOfRecent(last: Date): string {
  return addDays(dayOf(last), 1 - recentDays)
}

function presentDay(day: string, usage: ApiKeyUsage | undefined): KeyUsageDay {
  const { starts = 0, statusReads = 0, submits = 0, completes = 0, validations = 0 } = usage ?? {}
  return { day, starts, statusReads, submits, completes, validations }
}
