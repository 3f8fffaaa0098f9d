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
 * The id of the tenant that a key belongs to. The primary key begins with the tenant, so this probes one tenant after the
 * other: fast enough for a command, and no index of its own to maintain. Throws `INVALID_PARAMETERS` for an unknown key.
 */
export async function findApiKeyTenant({ em }: OperatorScope, apiKeyId: string): Promise<string> {
  if (!validate(apiKeyId)) throw unknownApiKey(apiKeyId)
  const [owner] = await em.execute<{ tenantId: string }[]>(
    `select t.id as "tenantId" from tenant t
     cross join lateral (select from api_key where tenant_id = t.id and id = ? limit 1) owned limit 1`,
    [apiKeyId],
  )
  if (!owner) throw unknownApiKey(apiKeyId)
  return owner.tenantId
}
