import type { EntityManager } from '@mikro-orm/postgresql'

/** The tables whose rows are found by the tenant; those of requests that are under way come first. */
const byTenant = [
  'start_reservation',
  'idempotency_key',
  'api_key_usage',
  'api_key',
  'member',
  'invitation',
  'webhook_secret',
  'audit_event',
]

/** Rows of one table per transaction. */
const batchSize = 1_000

/** Deletes a batch of each of these tables. Returns whether there were any rows. */
export async function deleteTenantRows(em: EntityManager, tenantId: string): Promise<boolean> {
  let deleted = 0
  for (const table of byTenant) {
    const { affectedRows } = await em.execute<{ affectedRows: number }>(
      `delete from ${table} where ctid = any (array(select ctid from ${table} where tenant_id = ? limit ${batchSize}))`,
      [tenantId],
      'run',
    )
    deleted += affectedRows
  }
  return deleted > 0
}

/**
 * Deletes what is left without its verification: nothing, unless a part of a database was restored. Most of these tables
 * are read from end to end, as they have no index by tenant.
 */
export async function deleteRemainingRows(em: EntityManager, tenantId: string): Promise<void> {
  await em.execute('set local enable_seqscan = on')
  for (const table of ['delivery', 'request_data', 'open_verification', 'verification_outcome']) {
    await em.execute(`delete from ${table} where tenant_id = ?`, [tenantId])
  }
}
