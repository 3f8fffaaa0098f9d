import { validate } from 'uuid'
import type { OperatorScope, TenantScope } from '../scope.ts'
import { ApiKey } from './api-key.entity.ts'
import { unknownApiKey } from './revoke-api-key.ts'

/** One of the tenant's keys, also one that has ended. Throws `INVALID_PARAMETERS` for an unknown key. */
export async function getApiKey(
  { em, actor: { tenantId } }: TenantScope,
  { apiKeyId }: { apiKeyId: string },
): Promise<ApiKey> {
  const found = validate(apiKeyId) ? await em.findOne(ApiKey, { tenantId, id: apiKeyId }) : null
  if (!found) throw unknownApiKey(apiKeyId)
  return found
}

/**
 * The id of the tenant that a key belongs to. The primary key begins with the tenant, so this reads an index from end to
 * end: fast enough for a command, and no index of its own to maintain. Throws `INVALID_PARAMETERS` for an unknown key.
 */
export async function findApiKeyTenant({ em }: OperatorScope, apiKeyId: string): Promise<string> {
  const found = validate(apiKeyId)
    ? await em.findOne(ApiKey, { id: apiKeyId }, { fields: ['tenantId'] })
    : null
  if (!found) throw unknownApiKey(apiKeyId)
  return found.tenantId
}
