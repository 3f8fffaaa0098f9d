import { cutPage, type Page, type PageRequest, pageCursor, pageLimit } from '../page.ts'
import { readParameter } from '../parameters.ts'
import type { OperatorScope, TenantScope } from '../scope.ts'
import { AuditEvent, ServiceAuditEvent } from './audit-event.entity.ts'

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

/** The audit log of the whole service, newest first. The tenants' events are in their own logs. */
export async function listServiceAuditEvents(
  scope: OperatorScope,
  request: PageRequest = {},
): Promise<Page<ServiceAuditEvent>> {
  const limit = readParameter('limit', pageLimit, request.limit)
  const cursor = readParameter('cursor', pageCursor, request.cursor)
  const found = await scope.em.find(ServiceAuditEvent, cursor ? { id: { $lt: cursor } } : {}, {
    orderBy: { id: 'desc' },
    limit: limit + 1,
    disableIdentityMap: true,
  })
  return cutPage(found, limit, event => event.id)
}
