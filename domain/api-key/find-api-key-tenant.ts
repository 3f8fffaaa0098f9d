import { validate } from 'uuid'
import type { OperatorScope } from '../scope.ts'
import { findOwner } from '../tenant/find-owner.ts'
import { unknownApiKey } from './revoke-api-key.ts'

/** The id of the tenant that a key belongs to. Throws `INVALID_PARAMETERS` for an unknown key. */
export async function findApiKeyTenant(scope: OperatorScope, apiKeyId: string): Promise<string> {
  const owner = validate(apiKeyId) ? await findOwner(scope.em, 'api_key', apiKeyId) : undefined
  if (!owner) throw unknownApiKey(apiKeyId)
  return owner
}
