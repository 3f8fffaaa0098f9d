import { timeOfId } from '../ids.ts'
import { cutPageBySize, type Page, type PageRequest, readPage } from '../page.ts'
import type { TenantScope } from '../scope.ts'
import type { AuditEvent } from './audit-event.entity.ts'
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
