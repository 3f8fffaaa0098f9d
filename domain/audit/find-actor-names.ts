import { ApiKey } from '../api-key/api-key.entity.ts'
import { findMemberNames } from '../member/find-member-names.ts'
import type { TenantScope } from '../scope.ts'
import { AuditEvent } from './audit-event.entity.ts'

/**
 * Returns how to display who caused each of these events of the tenant: a member's name or e-mail address, or a key's name.
 * Who has left is named by the event of that. Null for any other actor, and for members without a name and ended keys.
 */
export async function findActorNames(
  { em, actor: { tenantId } }: TenantScope,
  events: readonly AuditEvent[],
): Promise<(event: AuditEvent) => string | null> {
  const users = events.filter(isMembers).map(toUser)
  const nameOfMember = await findMemberNames(em, tenantId, users)
  const left = [
    ...new Set(users.filter(user => nameOfMember(user) === undefined).map(({ subject }) => subject)),
  ]
  const ends = { tenantId, target: { $in: left }, action: { $in: ['member.remove', 'member.leave'] } }
  const found =
    left.length > 0
      ? await em.find(AuditEvent, ends, { orderBy: { id: 'asc' }, disableIdentityMap: true })
      : []
  const formerNames = new Map(found.map(({ target, changes }) => [target, changes.name]))
  const formerName = ({ subject }: ReturnType<typeof toUser>) => {
    const name = formerNames.get(subject)
    return name === undefined ? `Former member ${subject}` : `${name} (former member)`
  }
  const keyIds = [...new Set(events.filter(isKeys).map(({ actorSubject }) => actorSubject!))]
  const where = { tenantId, id: { $in: keyIds } }
  const keys = keyIds.length > 0 ? await em.find(ApiKey, where, { disableIdentityMap: true }) : []
  const keyNames = new Map(keys.map(({ id, name }) => [id, name]))
  return event => {
    if (isMembers(event)) {
      const name = nameOfMember(toUser(event))
      return name === undefined ? formerName(toUser(event)) : name
    }
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
