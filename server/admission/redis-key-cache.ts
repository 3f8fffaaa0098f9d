import { randomUUID } from 'node:crypto'
import { decideAdmission, decisionsValidUntil, type KeyAccess } from '#domain/api-key/admission.policy.ts'
import type { RateClass } from '#domain/api-key/api-key.policy.ts'
import { type CachedKeys, findCachedKeys } from '#domain/api-key/find-cached-keys.ts'
import { findKeyAccess } from '#domain/api-key/find-key-access.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import { type ApiKeyScope, apiKeyScopes } from '#domain/permissions.ts'
import type { KeyCache } from '#domain/ports.ts'
import { nameEntry } from '../redis/key-names.ts'
import type { Redis } from '../redis/open-redis.ts'
import { withRedis } from '../redis/open-redis.ts'

/**
 * How long an entry is used, and how long the reading of the database before may take. Together they are the longest
 * that a change which could not be announced, or was announced to another primary, stays without effect: 60 s.
 */
const entryTtlMs = 50_000
const leaseTtlMs = 10_000

/**
 * Announces a change by deleting the entry of each API key that it concerns, with its lease, so that no entry from
 * before remains and none can be stored from data that was read before.
 */
export function createRedisKeyCache(redis: Redis, pool: StatementPool): KeyCache {
  return {
    async assertReachable() {},
    invalidateTenant: (tenantId, now) => invalidate(redis, pool, { tenantId }, now),
    invalidatePlan: (planName, now) => invalidate(redis, pool, { planName }, now),
  }
}

async function invalidate(redis: Redis, pool: StatementPool, keys: CachedKeys, now: Date): Promise<void> {
  for await (const hashes of findCachedKeys(pool, keys, now)) {
    await withRedis(() => Promise.all(hashes.map(keyHash => redis.commands.del(nameEntry(keyHash)))))
  }
}

export function errorField(scope: ApiKeyScope): string {
  return `error:${scope}`
}

export function limitField(rateClass: RateClass): string {
  return `limit:${rateClass}`
}

/**
 * Stores the admission decisions for a key, one per scope, unless they change meanwhile. Returns false for an unknown
 * key, for which nothing is written.
 */
export async function storeKeyEntry(
  { commands }: Redis,
  pool: StatementPool,
  keyHash: string,
  now: Date,
): Promise<boolean> {
  if (!(await findKeyAccess(pool, keyHash))) return false
  const entry = nameEntry(keyHash)
  const lease = await commands.leaseEntry(entry, randomUUID(), leaseTtlMs)
  const access = await findKeyAccess(pool, keyHash)
  if (!access) return false
  await commands.storeEntry(entry, lease, { fields: toFields(access, now), ttlMs: entryTtlMs })
  return true
}

function toFields(access: KeyAccess, now: Date): Record<string, string> {
  const { tenantId, apiKeyId, rateLimits } = access
  const validUntil = decisionsValidUntil(access, now)
  return {
    tenantId,
    apiKeyId,
    ...Object.fromEntries(
      apiKeyScopes.map(scope => [errorField(scope), decideAdmission(access, scope, now) ?? '']),
    ),
    [limitField('write')]: String(rateLimits.write),
    [limitField('read')]: String(rateLimits.read),
    ...(validUntil && { validUntilMs: String(validUntil.getTime()) }),
  }
}
