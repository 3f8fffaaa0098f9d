import { validate } from 'uuid'
import { z } from 'zod'
import { firstIdAt } from '../ids.ts'
import { lineOfText, readParameter } from '../parameters.ts'
import { firstRetainedAuditId } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { type AuditAction, auditActions } from './audit-actions.ts'
import { type AuditActorKind, AuditEvent, auditActorKinds } from './audit-event.entity.ts'

/** Conditions that an event must all meet. */
export interface AuditFilter {
  /** A member's subject, or the id of an API key. */
  actor?: string | undefined
  actorKind?: AuditActorKind | undefined
  /** One or several. */
  action?: AuditAction | readonly AuditAction[] | undefined
  /** The id of the event; that of what was changed, such as an API key, or its end; the name of a key, or an IP address. */
  search?: string | undefined
  /** At or after this time. */
  from?: Date | undefined
  /** Before this time. */
  to?: Date | undefined
}

export interface FoundEvents {
  events: AuditEvent[]
  /** The id down to which the log was searched, if more of it has to be searched for the rest; null otherwise. */
  searchedDownTo: string | null
}

/** Events that one search examines. With a condition that few events meet, it may find none of them. */
const examinedMax = 10_000

/**
 * Up to `limit` events of the tenant's log that the filter lets through, newest first, before the one with the id `before`.
 * Throws `INVALID_PARAMETERS` for a filter that no event can meet.
 */
export async function findAuditEvents(
  scope: TenantScope,
  filter: AuditFilter,
  { before, limit }: { before: string | null | undefined; limit: number },
): Promise<FoundEvents> {
  const { em, actor } = scope
  const conditions = toConditions(filter)
  const { tenantId } = actor
  const id = toBounds(scope, filter, before)
  const last = Object.keys(conditions).length > 0 ? await lastExamined(scope, id) : undefined
  const events = await em.find(
    AuditEvent,
    { tenantId, id: last === undefined ? id : { ...id, $gte: last }, ...conditions },
    { orderBy: { id: 'desc' }, limit, disableIdentityMap: true },
  )
  return { events, searchedDownTo: events.length < limit ? (last ?? null) : null }
}

interface IdRange {
  $gte: string
  $lt?: string
}

/** Ids are ordered by time. */
function toBounds(scope: TenantScope, { from, to }: AuditFilter, before: string | null | undefined): IdRange {
  const $gte = firstRetainedAuditId(scope, from)
  const ends = [...(to ? [firstIdAt(to)] : []), ...(before ? [before.toLowerCase()] : [])].toSorted()
  return ends[0] === undefined ? { $gte } : { $gte, $lt: ends[0] }
}

/** The id of the last event that a search examines; undefined if it reaches the beginning of the log. */
async function lastExamined({ em, actor }: TenantScope, id: IdRange): Promise<string | undefined> {
  const [last] = await em.find(
    AuditEvent,
    { tenantId: actor.tenantId, id },
    {
      fields: ['id'],
      orderBy: { id: 'desc' },
      offset: examinedMax - 1,
      limit: 1,
      disableIdentityMap: true,
    },
  )
  return last?.id
}

/** Subjects of operators are users of the operating system, which tenants neither see nor find by a filter. */
function toConditions({ actor, actorKind, action, search }: AuditFilter) {
  return {
    ...(actor !== undefined && {
      actorSubject: readParameter('actor', lineOfText('The actor', 255), actor),
      $and: [{ actorKind: { $in: ['member', 'api_key'] satisfies AuditActorKind[] } }],
    }),
    ...(actorKind !== undefined && { actorKind: readParameter('actorKind', knownKind, actorKind) }),
    ...(action !== undefined && { action: { $in: readParameter('action', knownActions, [action].flat()) } }),
    ...(search !== undefined && { $or: searched(readParameter('search', searchText, search)) }),
  }
}

const searchText = lineOfText('The search', 255)

function searched(text: string) {
  const pattern = text.replace(/[\\%_]/g, '\\$&')
  const ending = { $like: `%${pattern}` }
  return [
    { target: ending },
    // The key that replaced another one.
    { changes: { replacement: ending } },
    { changes: { name: { $ilike: `%${pattern}%` } } },
    { actorIp: text },
    ...(validate(text) ? [{ id: text.toLowerCase() }] : []),
  ]
}

const knownKind = z.enum(auditActorKinds, 'The kind of actor is unknown.')
const knownActions = z.array(z.enum(auditActions, 'The action is unknown.'))

/** Events per query. */
const batchSize = 500

/** The tenant's audit log as a whole, newest first, in batches that are read as they are consumed. Throws as a list does. */
export async function* exportTenantEvents(
  scope: TenantScope,
  filter: AuditFilter,
): AsyncGenerator<AuditEvent[]> {
  let before: string | null = null
  do {
    const { events, searchedDownTo } = await findAuditEvents(scope, filter, { before, limit: batchSize })
    if (events.length > 0) yield events
    before = events.length === batchSize ? events.at(-1)!.id : searchedDownTo
  } while (before !== null)
}
