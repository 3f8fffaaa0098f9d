import { int, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'

/** Retries that are read. */
const retriesMax = 10_000

/** The tenants with an event that waits for a retry because the receiver didn't respond in time. Throws `DATABASE_ERROR`. */
export async function findHangingTenants(pool: StatementPool): Promise<string[]> {
  return (await findTimedOutTenants(pool, { limit: retriesMax })).map(({ tenantId }) => tenantId)
}

export const findTimedOutTenants = statement({
  name: 'find-hanging-tenants',
  text: `with retries as materialized (
     select tenant_id, failure from delivery where state = 'waiting' order by due_at desc limit :limit
   )
   select distinct tenant_id as "tenantId" from retries where failure = 'timeout'`,
  values: { limit: int },
  row: { tenantId: uuid },
})
