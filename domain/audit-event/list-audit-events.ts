import { firstIdAt } from '../ids.ts'
import { cutPage, type Page, type PageRequest, pageCursor, pageLimit } from '../page.ts'
import { readParameter } from '../parameters.ts'
import type { OperatorScope, TenantScope } from '../scope.ts'
import { AuditEvent, ServiceAuditEvent } from './audit-event.entity.ts'
import { auditRetainedFrom } from './audit-retention.policy.ts'

/** The tenant's audit log, newest first. */
export async function listAuditEvents(
  scope: TenantScope,
  request: PageRequest = {},
): Promise<Page<AuditEvent>> {
  const { limit, id } = readPage(scope, request)
  const found = await scope.em.find(
    AuditEvent,
    { tenantId: scope.actor.tenantId, id },
    { orderBy: { id: 'desc' }, limit: limit + 1, disableIdentityMap: true },
  )
  return cutPage(found, limit, event => event.id)
}

/** The audit log of the whole service, newest first. The tenants' events are in their own logs. */
export async function listServiceAuditEvents(
  scope: OperatorScope,
  request: PageRequest = {},
): Promise<Page<ServiceAuditEvent>> {
  const { limit, id } = readPage(scope, request)
  const found = await scope.em.find(
    ServiceAuditEvent,
    { id },
    { orderBy: { id: 'desc' }, limit: limit + 1, disableIdentityMap: true },
  )
  return cutPage(found, limit, event => event.id)
}

/** The limit of a page, and the condition on its ids. */
function readPage(scope: TenantScope | OperatorScope, request: PageRequest) {
  const limit = readParameter('limit', pageLimit, request.limit)
  const cursor = readParameter('cursor', pageCursor, request.cursor)
  return { limit, id: { $gte: firstIdAt(auditRetainedFrom(scope)), ...(cursor && { $lt: cursor }) } }
}
