import { cutPage, type Page, type PageRequest, pageCursor, pageLimit } from '../page.ts'
import { readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { AuditEvent } from './audit-event.entity.ts'

/** The tenant's audit log, newest first. */
export async function listAuditEvents(
  scope: TenantScope,
  request: PageRequest = {},
): Promise<Page<AuditEvent>> {
  const limit = readParameter('limit', pageLimit, request.limit)
  const cursor = readParameter('cursor', pageCursor, request.cursor)
  const where = { tenantId: scope.actor.tenantId, ...(cursor && { id: { $lt: cursor } }) }
  const found = await scope.em.find(AuditEvent, where, {
    orderBy: { id: 'desc' },
    limit: limit + 1,
    disableIdentityMap: true,
  })
  return cutPage(found, limit, event => event.id)
}
