import type { StatementPool } from '#domain/database/statement.ts'
import { DomainError } from '#domain/errors.ts'
import type { RateLimiter } from '#domain/ports.ts'
import { rateWindow, windowMs, windowNumber } from '#domain/rate-window.ts'
import type { Admission, AdmissionRequest, KeyAdmission } from '#rest/ports.ts'
import { nameEntry, nameKeyWindow, nameWindow } from '../redis/key-names.ts'
import type { Redis } from '../redis/open-redis.ts'
import { withRedis } from '../redis/open-redis.ts'
import { unknownKey } from './known-keys.ts'
import { errorField, limitField, storeKeyEntry } from './redis-key-cache.ts'

/** An entry can become stale while it's being stored. A tenant that changes faster than this gets `REDIS_ERROR`. */
const attemptsMax = 5

/** Decides from cached entries and counts in Redis: one round trip when the key is cached. */
export function createRedisKeyAdmission(redis: Redis, pool: StatementPool): KeyAdmission {
  return {
    admit: request =>
      withRedis(
        () => admit(redis, pool, request),
        () => [nameEntry(request.keyHash), nameWindowOf(request)],
      ),
  }
}

async function admit(redis: Redis, pool: StatementPool, request: AdmissionRequest): Promise<Admission> {
  const { keyHash, scope, rateClass, now } = request
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const reply = await redis.commands.admit({
      entry: nameEntry(keyHash),
      window: nameWindowOf(request),
      errorField: errorField(scope),
      limitField: limitField(rateClass),
      nowMs: now.getTime(),
      windowTtlMs: counterTtlMs,
    })
    if (reply?.admitted) {
      const { tenantId, apiKeyId, count, limit } = reply
      return { admitted: true, tenantId, apiKeyId, window: rateWindow(count, limit, now) }
    }
    if (reply) return reply
    const isKnown = await storeKeyEntry(redis, pool, keyHash, now)
    if (!isKnown) return unknownKey
  }
  throw new DomainError('REDIS_ERROR', { cause: 'the entry of a key became stale on every attempt' })
}

function nameWindowOf({ keyHash, rateClass, now }: AdmissionRequest): string {
  return nameKeyWindow(keyHash, rateClass, windowNumber(now))
}

/** Counters are kept for one more window, for processes whose clocks are behind. */
const counterTtlMs = 2 * windowMs

/** Counts anything else than the requests of API keys. */
export function createRedisRateLimiter(redis: Redis): RateLimiter {
  return {
    async hit(bucket, limit, now) {
      const window = nameWindow(bucket, windowNumber(now))
      const count = await withRedis(
        () => redis.commands.hit(window, counterTtlMs),
        () => [window],
      )
      return rateWindow(count, limit, now)
    },
  }
}
