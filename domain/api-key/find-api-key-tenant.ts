import { validate } from 'uuid'
import type { OperatorScope } from '../scope.ts'
import { ApiKey } from './api-key.entity.ts'
import { unknownApiKey } from './revoke-api-key.ts'

/** The id of the tenant that a key belongs to. Throws `INVALID_PARAMETERS` for an unknown key. */
export async function findApiKeyTenant(scope: OperatorScope, apiKeyId: string): Promise<string> {
  const key = validate(apiKeyId)
    ? await scope.em.findOne(ApiKey, apiKeyId, { fields: ['tenantId'], disableIdentityMap: true })
    : null
  if (!key) throw unknownApiKey(apiKeyId)
  return key.tenantId
}
