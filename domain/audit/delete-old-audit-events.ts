import { int, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { firstRetainedAuditId } from '../retention.policy.ts'
import type { Scope } from '../scope.ts'

const batchSize = 1_000

/** Deletes audit events that have expired, of the tenants and of the service. Returns their number. */
export async function deleteOldAuditEvents(scope: Scope): Promise<number> {
  const values = { firstRetained: firstRetainedAuditId(scope), limit: batchSize }
  const deleted = await deleteTenantEvents(scope.pool, values)
  const deletedOfService = await deleteServiceEvents(scope.pool, values)
  return deleted.length + deletedOfService.length
}

// The primary key begins with the tenant, so the beginning of each tenant's log is looked at.
export const deleteTenantEvents = statement({
  name: 'delete-old-audit-events',
  text: `delete from audit_event where ctid = any (array(
     select old.ctid from tenant t cross join lateral (
       select ctid from audit_event where tenant_id = t.id and id < :firstRetained order by id limit :limit
     ) old limit :limit
   )) returning id`,
  values: { firstRetained: uuid, limit: int },
  row: { id: uuid },
})

export const deleteServiceEvents = statement({
  name: 'delete-old-service-audit-events',
  text: `delete from service_audit_event where id = any (array(
     select id from service_audit_event where id < :firstRetained order by id limit :limit
   )) returning id`,
  values: { firstRetained: uuid, limit: int },
  row: { id: uuid },
})
