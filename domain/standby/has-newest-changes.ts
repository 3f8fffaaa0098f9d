import { uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'

export const findNewestAuditEvents = statement({
  name: 'find-newest-audit-events',
  text: `select id from audit_event where tenant_id = :tenantId order by id desc limit 20`,
  values: { tenantId: uuid },
  row: { id: uuid },
})

/**
 * Whether a standby has replayed the newest changes that a tenant's members made. Each of them writes an audit event in
 * its transaction, so what the standby's audit log has, its other tables have. Processes whose clocks differ may give
 * events ids out of order, which is why several are compared.
 */
export async function hasNewestChanges(
  { primary, standby }: { primary: StatementPool; standby: StatementPool },
  tenantId: string,
): Promise<boolean> {
  const [written, replayed] = await Promise.all([
    findNewestAuditEvents(primary, { tenantId }),
    findNewestAuditEvents(standby, { tenantId }),
  ])
  return written.map(({ id }) => id).join() === replayed.map(({ id }) => id).join()
}
