import { validate } from 'uuid'
import type { TenantScope } from '../scope.ts'
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
