import { findKeyAccess } from '#domain/api-key/find-key-access.ts'
import { admissionError, rateLimitOf } from '#domain/api-key/key-access.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import type { KeyAdmission, RateLimiter } from '#domain/ports.ts'

/**
 * Looks each key up in PostgreSQL and counts in memory. It remembers no key, so that there is nothing to forget
 * when another process, such as the operator's command line, changes one.
 */
export function createMemoryKeyAdmission(pool: StatementPool, rateLimiter: RateLimiter): KeyAdmission {
  return {
    async admit({ keyHash, scope, rateClass, now }) {
      const access = await findKeyAccess(pool, keyHash)
      if (!access || admissionError(access, scope, now)) return { access, window: undefined }
      const bucket = `${access.apiKeyId}:${rateClass}`
      return { access, window: await rateLimiter.hit(bucket, rateLimitOf(access, rateClass), now) }
    },
    async invalidateTenant() {},
    async invalidateAll() {},
  }
}
