import type { EntityManager } from '@mikro-orm/postgresql'
import { int, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'

/** The tables whose rows are found by the tenant; those of requests that are under way come first. */
const byTenant = [
  'start_reservation',
  'idempotency_key',
  'api_key',
  'member',
  'invitation',
  'webhook_secret',
  'test_event',
  'audit_event',
  'change_number',
]

/** Rows of one table per transaction. */
const batchSize = 1_000

/** Deletes a batch of each of these tables. Returns whether there were any rows. */
export async function deleteTenantRows(em: EntityManager, tenantId: string): Promise<boolean> {
  const [row] = await deleteBatches(inTransaction(em), { tenantId })
  return row!.count > 0
}

// A `delete` has no limit, so the rows are named by their places.
export const deleteBatches = statement({
  name: 'delete-tenant-rows',
  text: `with ${byTenant.map(
    table => `deleted_${table} as (
     delete from ${table} where ctid = any (array(select ctid from ${table} where tenant_id = :tenantId limit ${batchSize}))
     returning 1
   )`,
  )}
   select (${byTenant.map(table => `(select count(*) from deleted_${table})`).join(' + ')})::int as count`,
  values: { tenantId: uuid },
  row: { count: int },
})
