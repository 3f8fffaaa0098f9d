import { arrayOf, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'

export interface KeyUse {
  tenantId: string
  apiKeyId: string
  at: Date
}

/** Records when keys were last used, to the minute and never backwards. Throws `DATABASE_ERROR`. */
export async function recordKeyUse(pool: StatementPool, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) return
  await updateLastUse(pool, {
    tenantIds: uses.map(({ tenantId }) => tenantId),
    apiKeyIds: uses.map(({ apiKeyId }) => apiKeyId),
    times: uses.map(({ at }) => at),
  })
}

// Locked in the order of their ids, so that processes that record the same keys concurrently don't deadlock.
export const updateLastUse = statement({
  name: 'record-key-use',
  text: `with used as (
     select k.tenant_id, k.id, u.at from api_key k
     join (
       select tenant_id, id, date_trunc('minute', at) as at
       from unnest(:tenantIds, :apiKeyIds, :times) as u (tenant_id, id, at)
     ) u on u.tenant_id = k.tenant_id and u.id = k.id
     where k.last_used_at is null or k.last_used_at < u.at
     order by k.tenant_id, k.id for no key update of k
   )
   update api_key k set last_used_at = used.at from used where k.tenant_id = used.tenant_id and k.id = used.id`,
  values: { tenantIds: arrayOf(uuid), apiKeyIds: arrayOf(uuid), times: arrayOf(timestamp) },
  row: {},
})
