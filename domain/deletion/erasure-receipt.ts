import type { AuditActorKind } from '../audit/audit-event.entity.ts'
import { jsonOf, nullable, text, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import { firstRetainedAuditId } from '../retention.policy.ts'
import { forTenant, type MemberScope, type OperatorScope } from '../scope.ts'
import { signRecord } from '../signing-key/sign-record.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { inspectSessionDeletions } from './inspect-session-deletions.ts'
import type { SessionAnswer } from './session-deletion.entity.ts'

/** What an erasure has deleted here, as numbers of rows; the timeline is part of the verification's. */
export interface ErasedRows {
  verifications: number
  tokens: number
  deliveries: number
  idempotencyKeys: number
}

/** What an erasure does with the session: the test provider's is deleted at once, and the operator may leave it where it is. */
export type EndedSession = SessionAnswer | 'queued' | 'not_asked'

/** Who erased what, and what the provider has answered so far; no person in it. */
export interface ErasureReceipt {
  verificationId: string
  erasedAt: Date
  erasedBy: Extract<AuditActorKind, 'member' | 'operator'>
  deleted: ErasedRows
  /** The session at the provider: since when that is so, and its place in the queue while it waits. */
  session: { state: EndedSession | 'not_enabled'; at: Date; place: number | null }
  /** A signed JWT of its own `typ` that says all of it. */
  receipt: string
}

/**
 * The receipt of an erasure as it stands now, from the audit log; it can be made as often as it is asked for. Throws
 * `VERIFICATION_NOT_FOUND` for what wasn't erased, or so long ago that the log has ended, and for another tenant's.
 */
export async function erasureReceipt(
  scope: OperatorScope | MemberScope,
  { verificationId }: { verificationId: string },
): Promise<ErasureReceipt> {
  const { pool, now, actor } = scope
  const ofTenant = actor.kind === 'member' ? actor.tenantId : null
  const firstId = firstRetainedAuditId(scope)
  const [found] = await findErasure(pool, { verificationId, ofTenant, firstId })
  if (!found) throw new DomainError('VERIFICATION_NOT_FOUND')
  const { tenantId, changes, answer, answeredAt, ...erased } = found
  const { session: ended, ...deleted } = changes
  const queue =
    ended === 'queued' && !answer ? await inspectSessionDeletions(pool, { now, verificationId }) : null
  const session =
    queue?.rejection === 'not_enabled'
      ? { state: 'not_enabled' as const, at: queue.askedAt! }
      : { state: answer ?? ended, at: answeredAt ?? erased.erasedAt }
  const erasure = { ...erased, deleted, session: { ...session, place: queue?.place ?? null } }
  const tenantScope = isOfMember(scope) ? scope : forTenant(scope, tenantId)
  const { test } = await findTenant(tenantScope)
  const receipt = await signRecord(tenantScope, 'erasure-receipt+jwt', erasure, test)
  return { ...erasure, receipt }
}

export function isOfMember(scope: OperatorScope | MemberScope): scope is MemberScope {
  return scope.actor.kind === 'member'
}

export const findErasure = statement({
  name: 'find-erasure',
  text: `select e.tenant_id as "tenantId", e.target as "verificationId", e.at as "erasedAt", e.actor_kind as "erasedBy",
     e.changes, a.at as "answeredAt", a.changes ->> 'session' as answer
   from audit_event e left join audit_event a
     on a.action = 'verification.delete_session' and a.target = e.target and a.tenant_id = e.tenant_id
   where e.action = 'verification.erase' and e.target = lower(:verificationId) and e.id >= :firstId
     and (e.tenant_id = :ofTenant or :ofTenant is null)
   limit 1`,
  values: { verificationId: text, ofTenant: nullable(uuid), firstId: uuid },
  row: {
    tenantId: uuid,
    verificationId: text,
    erasedAt: timestamp,
    erasedBy: textOf<ErasureReceipt['erasedBy']>(),
    changes: jsonOf<ErasedRows & { session: EndedSession }>(),
    answeredAt: nullable(timestamp),
    answer: nullable(textOf<SessionAnswer>()),
  },
})
