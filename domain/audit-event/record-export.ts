import { transaction } from '../database/transaction.ts'
import type { TenantScope } from '../scope.ts'
import type { AuditAction } from './audit-actions.ts'
import { recordAuditEvent } from './record-audit-event.ts'

export type ExportAction = Extract<AuditAction, `${string}.export`>

/** Records that data of the tenant is exported, before any of it is sent. `filter` is what it was limited to. */
export async function recordExport(
  scope: TenantScope,
  { action, filter }: { action: ExportAction; filter: Record<string, unknown> },
): Promise<void> {
  await transaction(scope, async em => {
    recordAuditEvent(scope, em, { action, target: null, changes: filter })
  })
}
