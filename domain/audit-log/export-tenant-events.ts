import type { AuditEvent } from '../audit-event/audit-event.entity.ts'
import type { TenantScope } from '../scope.ts'
import { type AuditFilter, findAuditEvents } from './find-audit-events.ts'

/** Events per query. */
const batchSize = 500

/** The tenant's audit log as a whole, newest first, in batches that are read as they are consumed. Throws as a list does. */
export async function* exportTenantEvents(
  scope: TenantScope,
  filter: AuditFilter,
): AsyncGenerator<AuditEvent[]> {
  let before: string | null = null
  do {
    const { events, searchedDownTo } = await findAuditEvents(scope, filter, { before, limit: batchSize })
    if (events.length > 0) yield events
    before = events.length === batchSize ? events.at(-1)!.id : searchedDownTo
  } while (before !== null)
}
