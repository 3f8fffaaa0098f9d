import { decideAdmission } from '#domain/api-key/admission.policy.ts'
import { findKeyAccess } from '#domain/api-key/find-key-access.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import type { RateLimiter } from '#domain/ports.ts'
import type { KeyAdmission } from '#rest/ports.ts'
import { unknownKey } from './known-keys.ts'

/**
 * Looks up each key in PostgreSQL: nothing is cached, so a change by any process holds everywhere once it is committed.
 */
export function createKeyAdmission(pool: StatementPool, rateLimiter: RateLimiter): KeyAdmission {
  return {
    async admit({ keyHash, scope, rateClass, now }) {
      const access = await findKeyAccess(pool, keyHash)
      if (!access) return unknownKey
      const { tenantId, apiKeyId } = access
      const error = decideAdmission(access, scope, now)
      if (error) return { admitted: false, tenantId, apiKeyId, error }
      const window = await rateLimiter.hit(`${apiKeyId}:${rateClass}`, access.rateLimits[rateClass], now)
      return { admitted: true, tenantId, apiKeyId, window }
    },
  }
}
