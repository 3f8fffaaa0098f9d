import { timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import { arrayTypes, toArrays } from '../database/value-arrays.ts'

export interface KeyUse {
  tenantId: string
  apiKeyId: string
  at: Date
}

/** Records when keys were last used, to the minute, never backwards and not before their creation. Throws `DATABASE_ERROR`. */
export async function recordKeyUse(pool: StatementPool, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) return
  await updateLastUse(pool, toArrays(Object.keys(useValues), uses))
}

const useValues = { tenantId: uuid, apiKeyId: uuid, at: timestamp }

// Locked in the order of their ids, so that processes that record the same keys concurrently don't deadlock.
export const updateLastUse = statement({
  name: 'record-key-use',
  text: `with used as (
     select k.tenant_id, k.id, greatest(u.at, k.created_at) as at from api_key k
     join (
       select tenant_id, id, date_trunc('minute', at) as at
       from unnest(:tenantId, :apiKeyId, :at) as u (tenant_id, id, at)
     ) u on u.tenant_id = k.tenant_id and u.id = k.id
     where k.last_used_at is null or k.last_used_at < u.at
     order by k.tenant_id, k.id for no key update of k
   )
   update api_key k set last_used_at = used.at from used where k.tenant_id = used.tenant_id and k.id = used.id`,
  values: arrayTypes(useValues),
  row: {},
})
