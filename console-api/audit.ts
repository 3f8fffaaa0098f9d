import { z } from 'zod'
import { auditActions } from '#domain/audit/audit-actions.ts'
import { type AuditEvent, auditActorKinds } from '#domain/audit/audit-event.entity.ts'
import { findActorNames } from '#domain/audit/find-actor-names.ts'
import { getAuditEvent } from '#domain/audit/get-audit-event.ts'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { boundedList, boundedText, dateTime, pageFields, pageSchema, timestamp } from './fields.ts'
import { memberProcedure, readProcedure, router } from './trpc.ts'

export const auditEvent = z.object({
  auditEventId: z.string(),
  at: timestamp,
  actorKind: z.enum(auditActorKinds),
  /** For display: a member's subject, an API key's id, or the kind of any other actor. */
  actor: z.string(),
  /** A member's name or e-mail address, a former member as such, or a key's name; null where none is known. */
  actorName: z.string().nullable(),
  /** The issuer of a member's subject; null for other actors. */
  actorIssuer: z.string().nullable(),
  actorIp: z.string().nullable(),
  /** Noun and verb, such as `api_key.create`. */
  action: z.string(),
  target: z.string().nullable(),
  changes: z.record(z.string(), z.unknown()),
})

const action = z.enum(auditActions)
const actionMessage = `Must be an action, or a list of 1 to ${auditActions.length}.`

/** Conditions that an event must all meet. */
export const auditFilters = {
  /** A member's subject, or the id of an API key. */
  actor: boundedText.optional(),
  actorKind: z.enum(auditActorKinds).optional(),
  /** One or several. */
  action: z.union([action, boundedList(action, auditActions.length)], actionMessage).optional(),
  /** The id of the event; that of what was changed, such as an API key, or its end; the name of a key, or an IP address. */
  search: boundedText.optional(),
  /** At or after this time. */
  from: dateTime.optional(),
  /** Before this time. */
  to: dateTime.optional(),
}

export const auditRouter = router({
  /** Newest first. With a filter that few events meet, a page can be short or empty, and `nextCursor` searches on. */
  list: memberProcedure('read')
    .input(z.strictObject({ ...pageFields, ...auditFilters }).prefault({}))
    .output(pageSchema(auditEvent).extend({ searchedUntil: timestamp.nullable() }))
    .query(async ({ ctx: { scope }, input }) => {
      const { items, nextCursor, searchedUntil } = await listAuditEvents(scope, input)
      const nameOf = await findActorNames(scope, items)
      return { items: items.map(event => presentEvent(event, nameOf(event))), nextCursor, searchedUntil }
    }),

  get: memberProcedure('read')
    .input(z.strictObject({ auditEventId: z.uuid() }))
    .output(auditEvent)
    .query(async ({ ctx: { scope }, input }) => {
      const event = await getAuditEvent(scope, input)
      const nameOf = await findActorNames(scope, [event])
      return presentEvent(event, nameOf(event))
    }),

  /** Every action that there is, for the filter. */
  actions: readProcedure
    .output(z.object({ items: z.array(z.enum(auditActions)) }))
    .query(() => ({ items: [...auditActions] })),
})

export function presentEvent(event: AuditEvent, actorName: string | null): z.input<typeof auditEvent> {
  const { id, at, actorKind, actorSubject, action, changes } = event
  const { actorIssuer = null, actorIp = null, target = null } = event
  // The name of the operator's user on its machine is not for tenants.
  const actor = actorKind === 'operator' ? actorKind : (actorSubject ?? actorKind)
  return { auditEventId: id, at, actorKind, actor, actorName, actorIssuer, actorIp, action, target, changes }
}
