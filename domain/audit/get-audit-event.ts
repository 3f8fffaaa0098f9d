import { validate } from 'uuid'
import { invalidParameter } from '../parameters.ts'
import { firstRetainedAuditId } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { AuditEvent } from './audit-event.entity.ts'

/** An event of the tenant's log. Throws `INVALID_PARAMETERS` for an unknown event, and for one that has expired. */
export async function getAuditEvent(
  scope: TenantScope,
  { auditEventId }: { auditEventId: string },
): Promise<AuditEvent> {
  const { em, actor } = scope
  const { tenantId } = actor
  const isRetained = validate(auditEventId) && auditEventId.toLowerCase() >= firstRetainedAuditId(scope)
  const found = isRetained
    ? await em.findOne(AuditEvent, { tenantId, id: auditEventId }, { disableIdentityMap: true })
    : null
  if (!found) throw invalidParameter('auditEventId', `No event of the audit log has the id ${auditEventId}.`)
  return found
}
