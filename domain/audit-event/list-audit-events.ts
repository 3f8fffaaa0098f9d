import type { Page, PageRequest } from '../page.ts'
import { cutPage, pageCursor, pageLimit } from '../page.ts'
import { readParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { AuditEvent } from './audit-event.entity.ts'

export interface AuditEventsRequest extends PageRequest {
  tenantId: string
}

/** What was done to the tenant's keys, settings, members and tokens, newest first. */
export async function listAuditEvents(scope: Scope, request: AuditEventsRequest): Promise<Page<AuditEvent>> {
  const limit = readParameter('limit', pageLimit, request.limit)
  const cursor = readParameter('cursor', pageCursor, request.cursor)
  const where = { tenantId: request.tenantId, ...(cursor && { id: { $lt: cursor } }) }
  const found = await scope.em.find(AuditEvent, where, {
    orderBy: { id: 'desc' },
    limit: limit + 1,
    disableIdentityMap: true,
  })
  return cutPage(found, limit, event => event.id)
}
