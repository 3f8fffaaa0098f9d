import type { EntityManager } from '@mikro-orm/postgresql'
import { newId } from '../ids.ts'
import type { Actor, Scope } from '../scope.ts'
import { AuditEvent } from './audit-event.entity.ts'

export interface Audited {
  tenantId: string
  /** Noun and verb, such as `api_key.create`. */
  action: string
  /** The id of what was changed. */
  target: string | null
  /** What changed; never a secret. */
  changes: Record<string, unknown>
}

/** Writes down who did what, in the transaction that does it: both happen, or neither. */
export function recordAuditEvent(scope: Scope, em: EntityManager, audited: Audited): void {
  const { actor, now } = scope
  const actorIp = 'ip' in actor ? actor.ip : null
  em.create(AuditEvent, { id: newId(now), at: now, actor: actorName(actor), actorIp, ...audited })
}

function actorName(actor: Actor): string {
  if (actor.kind === 'member' || actor.kind === 'user') return actor.subject
  return actor.kind === 'tenant' ? actor.apiKeyId : actor.kind
}
