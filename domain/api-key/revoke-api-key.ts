import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { validate } from 'uuid'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { invalidParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { changeLockedTenant } from '../tenant/change-locked-tenant.ts'
import { ApiKey } from './api-key.entity.ts'

/**
 * When this returns, no process accepts the key any more. Revoking again changes nothing. Throws `INVALID_PARAMETERS` for an unknown key.
 */
export async function revokeApiKey(scope: TenantScope, { apiKeyId }: { apiKeyId: string }): Promise<ApiKey> {
  return await changeLockedTenant(scope, async (em, tenant) => {
    const found = await lockApiKey(em, tenant.id, apiKeyId)
    if (found.revokedAt) return found
    found.revokedAt = scope.now
    const changes = { name: found.name }
    recordAuditEvent(scope, em, { action: 'api_key.revoke', target: apiKeyId, changes })
    return found
  })
}

/** The key, locked until the transaction ends. Throws `INVALID_PARAMETERS` for an unknown one. */
export async function lockApiKey(em: EntityManager, tenantId: string, apiKeyId: string): Promise<ApiKey> {
  const lockMode = LockMode.PESSIMISTIC_WRITE
  const key = { id: apiKeyId, tenantId }
  const found = validate(apiKeyId) ? await em.findOne(ApiKey, key, { lockMode }) : null
  if (!found) throw unknownApiKey(apiKeyId)
  return found
}

export function unknownApiKey(apiKeyId: string) {
  return invalidParameter('apiKeyId', `No key has the id ${apiKeyId}.`)
}
