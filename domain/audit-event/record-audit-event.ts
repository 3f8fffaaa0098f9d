import type { EntityManager } from '@mikro-orm/postgresql'
import { newId } from '../ids.ts'
import type { TenantActor, TenantScope } from '../scope.ts'
import { AuditEvent } from './audit-event.entity.ts'

export interface Audited {
  /** Noun and verb, such as `api_key.create`. */
  action: string
  /** Id of the changed object. */
  target: string | null
  /** What changed; never a secret. */
  changes: Record<string, unknown>
}

/** Records who did what in the actor's tenant, in the same transaction as the change itself. */
export function recordAuditEvent(scope: TenantScope, em: EntityManager, audited: Audited): void {
  const { actor, now } = scope
  em.create(AuditEvent, {
    id: newId(now),
    tenantId: actor.tenantId,
    at: now,
    actor: actorName(actor),
    actorIp: actor.kind === 'member' ? actor.ip : null,
    ...audited,
  })
}

/** A tenant's URL without its query, which may contain one of the tenant's secrets. */
export function auditedUrl(url: string | null | undefined): string | null {
  if (!url) return null
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

function actorName(actor: TenantActor): string {
  if (actor.kind === 'member') return actor.subject
  return actor.kind === 'api_key' ? actor.apiKeyId : actor.kind
}
