import { randomUUID } from 'node:crypto'
import { apiKeyScopes } from '#domain/api-key/api-key.policy.ts'
import { findKeyAccess } from '#domain/api-key/find-key-access.ts'
import { admissionError, type KeyAccess, rateLimitOf } from '#domain/api-key/key-access.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import { DomainError } from '#domain/errors.ts'
import type { Admission, AdmissionRequest, KeyAdmission } from '#domain/ports.ts'
import { rateWindow, windowNumber } from '#domain/usage/rate-window.ts'
import { type Redis, withRedis } from './open-redis.ts'
import { counterTtlMs } from './redis-rate-limiter.ts'

const globalGeneration = 'generation'
const tenantGeneration = 'generation:'
/** How long an entry is kept that nothing outdates: the bound where an announcement failed and was not repeated. */
const entryTtlSeconds = 60
/** An entry can be outdated while it is made; a tenant that changes faster than this is told to retry. */
const triesMax = 5

/**
 * Keeps what keys may do in Redis, shared by all processes. Every entry carries the generations (random names)
 * of its tenant and of all tenants that were read *before* the database was; announcing a change replaces
 * a generation, which outdates every older entry at once, also one that is being made from old data just now.
 */
export function createRedisKeyAdmission(redis: Redis, pool: StatementPool): KeyAdmission {
  return {
    admit: request => withRedis(() => admit(redis, pool, request)),
    invalidateTenant: tenantId => withRedis(() => renew(redis, tenantGeneration + tenantId)),
    invalidateAll: () => withRedis(() => renew(redis, globalGeneration)),
  }
}

async function admit(redis: Redis, pool: StatementPool, request: AdmissionRequest): Promise<Admission> {
  const { keyHash, scope, rateClass, now } = request
  for (let tries = 0; tries < triesMax; tries++) {
    const reply = await redis.admit({
      keyEntry: `key:${keyHash}`,
      globalGeneration,
      tenantGenerationPrefix: tenantGeneration,
      windowPrefix: 'window:',
      scope,
      window: `${rateClass}:${windowNumber(now)}`,
      nowMs: now.getTime(),
      windowTtlMs: counterTtlMs,
    })
    if (reply) {
      const { count } = reply
      const access = JSON.parse(reply.access) as KeyAccess
      return {
        access,
        window: count < 0 ? undefined : rateWindow(count, rateLimitOf(access, rateClass), now),
      }
    }
    if (!(await makeEntry(redis, pool, keyHash, now))) return { access: undefined, window: undefined }
  }
  throw new DomainError('REDIS_ERROR', { cause: 'the entry of a key was outdated again and again' })
}

/** Answers false where there is no such key. The key is read twice, because only the first tells its tenant. */
async function makeEntry(redis: Redis, pool: StatementPool, keyHash: string, now: Date): Promise<boolean> {
  const tenantId = (await findKeyAccess(pool, keyHash))?.tenantId
  if (!tenantId) return false
  const stamp = `${await generation(redis, globalGeneration)}.${await generation(redis, tenantGeneration + tenantId)}`
  const access = await findKeyAccess(pool, keyHash)
  if (!access) return false
  const entry = `key:${keyHash}`
  await redis
    .multi()
    .del(entry)
    .hSet(entry, {
      stamp,
      tenant: tenantId,
      id: access.apiKeyId,
      access: JSON.stringify(access),
      admits: admittedScopes(access, now),
      ...(access.expiresAtMs === null ? {} : { expiresAtMs: String(access.expiresAtMs) }),
    })
    .expire(entry, entryTtlSeconds)
    .exec()
  return true
}

/** The scopes that the key is admitted for as long as it has not expired, such as `|tokens:validate|`. */
function admittedScopes(access: KeyAccess, now: Date): string {
  const lasting = { ...access, expiresAtMs: null }
  return `|${apiKeyScopes.filter(scope => !admissionError(lasting, scope, now)).join('|')}|`
}

async function generation(redis: Redis, key: string): Promise<string> {
  const made = randomUUID()
  return (await redis.set(key, made, { condition: 'NX', GET: true })) ?? made
}

async function renew(redis: Redis, key: string): Promise<void> {
  await redis.set(key, randomUUID())
}
