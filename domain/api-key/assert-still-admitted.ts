import { batchLookups } from '../database/batch-lookups.ts'
import { arrayOf, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { ApiKeyScope } from '../permissions.ts'
import type { ApiKeyActorScope } from '../scope.ts'
import { admissionError, decideAdmission, invalidKeyError } from './admission.policy.ts'
import { accessColumns, accessRow, accessTables, toKeyAccess } from './find-key-access.ts'

/**
 * For a request that was admitted long ago: decides again, without counting it again. Throws an `AdmissionError`, as for a
 * new request with the same key, and `DATABASE_ERROR`.
 */
export async function assertStillAdmitted(
  { pool, actor, now }: ApiKeyActorScope,
  scope: ApiKeyScope,
): Promise<void> {
  const row = await findAccess(pool, actor)
  const error = row ? decideAdmission(toKeyAccess(row), scope, now) : invalidKeyError
  if (error) throw admissionError(error, scope)
}

export const findAccessOfKeys = statement({
  name: 'find-access-of-keys',
  text: `select ${accessColumns}
   from unnest(:tenantIds, :apiKeyIds) with ordinality as w (tenant_id, api_key_id, position)
     join ${accessTables} on k.tenant_id = w.tenant_id and k.id = w.api_key_id
   where k.tenant_id = any (:tenantIds) and k.id = any (:apiKeyIds)`,
  values: { tenantIds: arrayOf(uuid), apiKeyIds: arrayOf(uuid) },
  row: accessRow,
})

type Key = Pick<ApiKeyActorScope['actor'], 'tenantId' | 'apiKeyId'>

const findAccess = batchLookups((pool, keys: readonly Key[]) => {
  const tenantIds = keys.map(({ tenantId }) => tenantId)
  const apiKeyIds = keys.map(({ apiKeyId }) => apiKeyId)
  return findAccessOfKeys(pool, { tenantIds, apiKeyIds })
})
