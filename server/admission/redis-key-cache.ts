import { randomUUID } from 'node:crypto'
import { decideAdmission, decisionsValidUntil, type KeyAccess } from '#domain/api-key/admission.policy.ts'
import { type ApiKeyScope, apiKeyScopes, type RateClass } from '#domain/api-key/api-key.policy.ts'
import { findKeyAccess } from '#domain/api-key/find-key-access.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import type { KeyCache } from '#domain/ports.ts'
import { type Redis, withRedis } from './open-redis.ts'

export const globalGeneration = 'generation'
export const tenantGenerationPrefix = 'generation:'
/** The longest that an entry is used; the upper bound when an invalidation failed and wasn't repeated. */
const entryTtlSeconds = 60

/**
 * Invalidates entries by generation. Every entry is stamped with two generations (random names), its tenant's and
 * the global one, that were read *before* the database was. An invalidation replaces a generation, which makes
 * every older entry stale immediately, including one that is being stored from old data at that time.
 */
export function createRedisKeyCache(redis: Redis): KeyCache {
  return {
    async assertReachable() {},
    invalidateTenant: tenantId => withRedis(() => renew(redis, tenantGenerationPrefix + tenantId)),
    invalidateAll: () => withRedis(() => renew(redis, globalGeneration)),
  }
}

/** The Redis key of an API key's entry. */
export function entryOf(keyHash: string): string {
  return `admission:${keyHash}`
}

export function errorField(scope: ApiKeyScope): string {
  return `error:${scope}`
}

export function limitField(rateClass: RateClass): string {
  return `limit:${rateClass}`
}

/**
 * Stores the admission decisions for a key, one per scope. Returns false for an unknown key, which isn't cached.
 * The key is read twice, because the tenant, whose generation has to be read first, is only known afterwards.
 */
export async function storeKeyEntry(
  redis: Redis,
  pool: StatementPool,
  keyHash: string,
  now: Date,
): Promise<boolean> {
  const tenantId = (await findKeyAccess(pool, keyHash))?.tenantId
  if (!tenantId) return false
  const global = await generation(redis, globalGeneration)
  const tenant = await generation(redis, tenantGenerationPrefix + tenantId)
  const access = await findKeyAccess(pool, keyHash)
  if (!access) return false
  const entry = entryOf(keyHash)
  await redis
    .multi()
    .del(entry)
    .hSet(entry, { stamp: `${global}.${tenant}`, ...fieldsOf(access, now) })
    .expire(entry, entryTtlSeconds)
    .exec()
  return true
}

function fieldsOf(access: KeyAccess, now: Date): Record<string, string> {
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

async function generation(redis: Redis, key: string): Promise<string> {
  const fresh = randomUUID()
  return (await redis.set(key, fresh, { condition: 'NX', GET: true })) ?? fresh
}

async function renew(redis: Redis, key: string): Promise<void> {
  await redis.set(key, randomUUID())
}
