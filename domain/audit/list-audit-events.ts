import { timeOfId } from '../ids.ts'
import { cutPageBySize, type Page, type PageRequest, readPage } from '../page.ts'
import { firstRetainedAuditId } from '../retention.policy.ts'
import type { OperatorScope, TenantScope } from '../scope.ts'
import { type AuditEvent, ServiceAuditEvent } from './audit-event.entity.ts'
import { type AuditFilter, findAuditEvents } from './find-audit-events.ts'

export interface AuditRequest extends AuditFilter, PageRequest {}

export interface AuditPage extends Page<AuditEvent> {
  /** Of a page that is not full because few events meet the filter: the time down to which the log was searched. */
  searchedUntil: Date | null
}

/** The tenant's audit log, newest first. */
export async function listAuditEvents(scope: TenantScope, request: AuditRequest = {}): Promise<AuditPage> {
  const { limit, cursor } = readPage(request)
  const found = await findAuditEvents(scope, request, { before: cursor, limit: limit + 1 })
  const { searchedDownTo } = found
  const { items, nextCursor } = cutPageBySize(found.events, limit, event => event.id)
  if (nextCursor !== null || searchedDownTo === null) return { items, nextCursor, searchedUntil: null }
  return { items, nextCursor: searchedDownTo, searchedUntil: timeOfId(searchedDownTo) }
}

/** The audit log of the whole service, newest first. The tenants' events are in their own logs. */
export async function listServiceAuditEvents(
  scope: OperatorScope,
  request: PageRequest = {},
): Promise<Page<ServiceAuditEvent>> {
  const { limit, cursor } = readPage(request)
  const id = { $gte: firstRetainedAuditId(scope), ...(cursor && { $lt: cursor }) }
  const found = await scope.em.find(
    ServiceAuditEvent,
    { id },
    { orderBy: { id: 'desc' }, limit: limit + 1, disableIdentityMap: true },
  )
  return cutPageBySize(found, limit, event => event.id)
}
