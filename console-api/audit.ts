import { z } from 'zod'
import type { AuditEvent } from '#domain/audit-event/audit-event.entity.ts'
import { listAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { pageFields, pageOf, timestamp } from './fields.ts'
import { memberProcedure, router } from './trpc.ts'

const auditEvent = z.object({
  auditEventId: z.string(),
  at: timestamp,
  /** A user's subject, or `operator`. */
  actor: z.string(),
  actorIp: z.string().nullable(),
  /** Noun and verb, such as `api_key.create`. */
  action: z.string(),
  target: z.string().nullable(),
  changes: z.record(z.string(), z.unknown()),
})

export const auditRouter = router({
  /** Newest first. */
  list: memberProcedure('read')
    .input(z.strictObject(pageFields).prefault({}))
    .output(pageOf(auditEvent))
    .query(async ({ ctx: { scope }, input }) => {
      const { items, nextCursor } = await listAuditEvents(scope, input)
      return { items: items.map(presentEvent), nextCursor }
    }),
})

function presentEvent(event: AuditEvent): z.input<typeof auditEvent> {
  const { id, at, actor, actorIp, action, target, changes } = event
  return { auditEventId: id, at, actor, actorIp: actorIp ?? null, action, target: target ?? null, changes }
}
