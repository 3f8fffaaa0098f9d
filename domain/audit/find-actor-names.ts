import { ApiKey } from '../api-key/api-key.entity.ts'
import { findMemberNames } from '../member/find-member-names.ts'
import type { TenantScope } from '../scope.ts'
import type { AuditEvent } from './audit-event.entity.ts'

/**
 * Returns how to display who caused each of these events of the tenant: a member's name or e-mail address, or a key's name.
 * Null for any other actor, and for members and keys that are not there any more.
 */
export async function findActorNames(
  { em, actor: { tenantId } }: TenantScope,
  events: readonly AuditEvent[],
): Promise<(event: AuditEvent) => string | null> {
  const nameOfMember = await findMemberNames(em, tenantId, events.filter(isMembers).map(toUser))
  const keyIds = [...new Set(events.filter(isKeys).map(({ actorSubject }) => actorSubject!))]
  const where = { tenantId, id: { $in: keyIds } }
  const keys = keyIds.length > 0 ? await em.find(ApiKey, where, { disableIdentityMap: true }) : []
  const keyNames = new Map(keys.map(({ id, name }) => [id, name]))
  return event => {
    if (isMembers(event)) return nameOfMember(toUser(event)) ?? null
    return isKeys(event) ? (keyNames.get(event.actorSubject!) ?? null) : null
  }
}

function isMembers({ actorKind }: AuditEvent): boolean {
  return actorKind === 'member'
}

function isKeys({ actorKind }: AuditEvent): boolean {
  return actorKind === 'api_key'
}

function toUser({ actorIssuer, actorSubject }: AuditEvent) {
  return { issuer: actorIssuer ?? '', subject: actorSubject ?? '' }
}
