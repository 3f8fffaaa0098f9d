import { z } from 'zod'
import { type AuditEvent, auditActorKinds } from '#domain/audit-event/audit-event.entity.ts'
import { listAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { pageFields, pageOf, timestamp } from './fields.ts'
import { router, standbyProcedure } from './trpc.ts'

const auditEvent = z.object({
  auditEventId: z.string(),
  at: timestamp,
  /** For display: a member's subject, an API key's id, or the kind of any other actor. */
  actor: z.string(),
  actorKind: z.enum(auditActorKinds),
  /** The issuer of a member's subject; null for other actors. */
  actorIssuer: z.string().nullable(),
  actorIp: z.string().nullable(),
  /** Noun and verb, such as `api_key.create`. */
  action: z.string(),
  target: z.string().nullable(),
  changes: z.record(z.string(), z.unknown()),
})

export const auditRouter = router({
  /** Newest first. */
  list: standbyProcedure('read')
    .input(z.strictObject(pageFields).prefault({}))
    .output(pageOf(auditEvent))
    .query(async ({ ctx: { scope }, input }) => {
      const { items, nextCursor } = await listAuditEvents(scope, input)
      return { items: items.map(presentEvent), nextCursor }
    }),
})

function presentEvent(event: AuditEvent): z.input<typeof auditEvent> {
  const { id, at, actorKind, actorIssuer = null, actorIp = null, action, target = null, changes } = event
  return {
    auditEventId: id,
    at,
    actor: actorName(event),
    actorKind,
    actorIssuer,
    actorIp,
    action,
    target,
    changes,
  }
}

/** The name of the operator's user on its machine is not for tenants. */
function actorName({ actorKind, actorSubject }: AuditEvent): string {
  return actorKind === 'operator' ? actorKind : (actorSubject ?? actorKind)
}
