import { batchLookups } from '../database/batch-lookups.ts'
import { arrayOf, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { ApiKeyScope } from '../permissions.ts'
import type { ApiKeyActorScope } from '../scope.ts'
import { admissionError, decideAdmission, invalidKeyError, type KeyAccess } from './admission.policy.ts'
import { accessColumns, accessRow, accessTables, toKeyAccess } from './find-key-access.ts'

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

type Key = Pick<ApiKeyActorScope['actor'], 'tenantId' | 'apiKeyId'>

/** Requests of one key that ask in the same turn share one row. */
const findAccess = batchLookups<Key, KeyAccess | undefined>({
  one: async (pool, key) => (await findAccesses(pool, [key]))[0],
  many: (pool, keys) => findAccesses(pool, keys),
})

async function findAccesses(pool: StatementPool, keys: readonly Key[]): Promise<(KeyAccess | undefined)[]> {
  const distinct = [...new Map(keys.map(key => [key.apiKeyId, key])).values()]
  const rows = await findAccessOfKeys(pool, {
    tenantIds: distinct.map(({ tenantId }) => tenantId),
    apiKeyIds: distinct.map(({ apiKeyId }) => apiKeyId),
  })
  const found = new Map(rows.map(row => [row.apiKeyId, toKeyAccess(row)]))
  return keys.map(({ apiKeyId }) => found.get(apiKeyId))
}

export const findAccessOfKeys = statement({
  name: 'find-access-of-keys',
  text: `select found.* from unnest(:tenantIds, :apiKeyIds) as key (tenant_id, id)
   cross join lateral (
     select ${accessColumns} from ${accessTables}
     where k.tenant_id = key.tenant_id and k.id = key.id offset 0
   ) found`,
  values: { tenantIds: arrayOf(uuid), apiKeyIds: arrayOf(uuid) },
  row: accessRow,
})
