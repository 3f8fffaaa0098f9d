import { LockMode } from '@mikro-orm/core'
import { validate } from 'uuid'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { invalidParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { ApiKey } from './api-key.entity.ts'

export interface RevokedApiKey {
  apiKeyId: string
  /** Whose key it has to be; any tenant's where it is not named. */
  tenantId?: string | undefined
}

/**
 * No process accepts the key any more from the moment that this has answered. Doing it again changes nothing but
 * announces it anew, which heals an announcement that was lost. Throws `INVALID_PARAMETERS` for an unknown key.
 */
export async function revokeApiKey(scope: Scope, { apiKeyId, tenantId }: RevokedApiKey): Promise<ApiKey> {
  const key = await scope.em.transactional(
    async em => {
      const where = { id: apiKeyId, ...(tenantId !== undefined && { tenantId }) }
      const lockMode = LockMode.PESSIMISTIC_WRITE
      const found = validate(apiKeyId) ? await em.findOne(ApiKey, where, { lockMode }) : null
      if (!found) throw invalidParameter('apiKeyId', `No key has the id ${apiKeyId}.`)
      if (found.revokedAt) return found
      found.revokedAt = scope.now
      const changes = { name: found.name }
      const action = 'api_key.revoke'
      recordAuditEvent(scope, em, { tenantId: found.tenantId, action, target: apiKeyId, changes })
      return found
    },
    { clear: true },
  )
  await scope.keyCache.invalidateTenant(key.tenantId)
  return key
}
