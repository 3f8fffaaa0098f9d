import { ServiceAuditEvent } from '#domain/audit/audit-event.entity.ts'
import { cutPageBySize, type Page, type PageRequest, readPage } from '#domain/page.ts'
import { firstRetainedAuditId } from '#domain/retention.policy.ts'
import type { OperatorScope } from '#domain/scope.ts'

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
