import { sharedLookup } from '../database/shared-statements.ts'
import { uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
import type { ApiKeyScope } from '../permissions.ts'
import type { ApiKeyActorScope } from '../scope.ts'
import { admissionError, decideAdmission, invalidKeyError } from './admission.policy.ts'
import { accessColumns, accessJoins, accessRow } from './find-key-access.ts'

/**
 * For a request that was admitted long ago: decides again, without counting it again. Throws an `AdmissionError`, as for a
 * new request with the same key, and `DATABASE_ERROR`.
 */
export async function assertStillAdmitted(
  { pool, actor, now }: ApiKeyActorScope,
  scope: ApiKeyScope,
): Promise<void> {
  const access = await findAccess(pool, actor)
  const error = access ? decideAdmission(access, scope, now) : invalidKeyError
  if (error) throw admissionError(error, scope)
}

const key = { tenantId: uuid, apiKeyId: uuid }

export const findAccessOfKeys = statement({
  name: 'find-access-of-keys',
  text: `select ${accessColumns}
   from ${valueRows(key)} join api_key a on a.tenant_id = w.tenant_id and a.id = w.api_key_id ${accessJoins}
   where a.tenant_id = any (:tenantId) and a.id = any (:apiKeyId)`,
  values: arrayTypes(key),
  row: accessRow,
})

const findAccess = sharedLookup(key, findAccessOfKeys)
