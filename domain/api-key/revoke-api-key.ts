import { LockMode } from '@mikro-orm/core'
import { validate } from 'uuid'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { invalidParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { findOwner } from '../tenant/find-owner.ts'
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
  const key = await transaction(scope, async em => {
    const lockMode = LockMode.PESSIMISTIC_WRITE
    const isId = validate(apiKeyId)
    const owner = isId ? (tenantId ?? (await findOwner(em, 'api_key', apiKeyId))) : undefined
    const found = owner && (await em.findOne(ApiKey, { tenantId: owner, id: apiKeyId }, { lockMode }))
    if (!found) throw invalidParameter('apiKeyId', `No key has the id ${apiKeyId}.`)
    if (found.revokedAt) return found
    found.revokedAt = scope.now
    const changes = { name: found.name }
    const action = 'api_key.revoke'
    recordAuditEvent(scope, em, { tenantId: found.tenantId, action, target: apiKeyId, changes })
    return found
  })
  await scope.keyAdmission.invalidateTenant(key.tenantId)
  return key
}
