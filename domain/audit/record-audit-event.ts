import type { EntityManager } from '@mikro-orm/postgresql'
import { transaction } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import type { OperatorScope, TenantActor, TenantScope } from '../scope.ts'
import type { AuditAction, ServiceAuditAction } from './audit-actions.ts'
import { type AuditActorKind, AuditEvent, ServiceAuditEvent } from './audit-event.entity.ts'

export interface Audited<Action extends string = AuditAction> {
  action: Action
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
    ...actorFields(actor),
    ...audited,
  })
}

/** Records what the operator did to the whole service, in the same transaction as the change itself. */
export function recordServiceAuditEvent(
  scope: OperatorScope,
  em: EntityManager,
  audited: Audited<ServiceAuditAction>,
): void {
  const { actor, now } = scope
  em.create(ServiceAuditEvent, { id: newId(now), at: now, ...actorFields(actor), ...audited })
}

/** A tenant's URL without its query, which may contain one of the tenant's secrets. */
export function auditedUrl(url: string | null | undefined): string | null {
  if (!url) return null
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

interface ActorFields {
  actorKind: AuditActorKind
  actorIssuer: string | null
  actorSubject: string | null
  actorName: string | null
  actorIp: string | null
}

function actorFields(actor: TenantActor | OperatorScope['actor']): ActorFields {
  const unknown = {
    actorKind: actor.kind,
    actorIssuer: null,
    actorSubject: null,
    actorName: null,
    actorIp: null,
  }
  switch (actor.kind) {
    case 'member':
      return { ...unknown, actorIssuer: actor.issuer, actorSubject: actor.subject, actorIp: actor.ip }
    case 'api_key':
      return { ...unknown, actorSubject: actor.apiKeyId }
    case 'operator':
      return { ...unknown, actorSubject: actor.osUser ?? null, actorName: actor.person ?? null }
  }
}

export type ExportAction = Extract<AuditAction, `${string}.export`>

/** Records that data of the tenant is exported, before any of it is sent. `filter` is what it was limited to. */
export async function recordExport(
  scope: TenantScope,
  { action, filter }: { action: ExportAction; filter: Record<string, unknown> },
): Promise<void> {
  await transaction(scope, async em => {
    recordAuditEvent(scope, em, { action, target: null, changes: filter })
  })
}
