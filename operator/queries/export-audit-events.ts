import { AuditEvent, ServiceAuditEvent } from '#domain/audit/audit-event.entity.ts'
import { firstIdAt } from '#domain/ids.ts'
import { invalidParameter } from '#domain/parameters.ts'
import { firstRetainedAuditId } from '#domain/retention.policy.ts'
import { type AnyOperatorScope, boundTenant, forTenant, type OperatorScope } from '#domain/scope.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'
import { Tenant } from '#domain/tenant/tenant.entity.ts'

export interface AuditExport {
  /** At or after this time. */
  from?: Date | undefined
  /** Before this time. */
  to?: Date | undefined
}

export type ExportedAuditEvent = AuditEvent | ServiceAuditEvent

/** Events per query. */
const batchSize = 500

/**
 * Reads audit logs as a whole: that of one tenant, or that of the service and then those of all tenants, each oldest
 * first. They are read as they are consumed. Throws `INVALID_PARAMETERS` for an unknown tenant, and for an end that is not
 * after the beginning.
 */
export async function exportAuditEvents(
  scope: AnyOperatorScope,
  { from, to }: AuditExport,
): Promise<AsyncIterable<ExportedAuditEvent>> {
  if (from && to && from >= to) throw invalidParameter('to', 'The end must be after the beginning.')
  const bounds: Bounds = { first: firstRetainedAuditId(scope, from), end: to && firstIdAt(to) }
  const tenantId = boundTenant(scope)
  if (tenantId === undefined) return eventsOfAll(scope, bounds)
  await findTenant(forTenant(scope, tenantId))
  return eventsOfTenant(scope, tenantId, bounds)
}

/** The lowest id, and the one before which to stop. */
interface Bounds {
  first: string
  end: string | undefined
}

async function* eventsOfAll(scope: OperatorScope, bounds: Bounds): AsyncGenerator<ExportedAuditEvent> {
  yield* inBatches(bounds, async id => await scope.em.find(ServiceAuditEvent, { id }, batch))
  const tenants = await scope.em.find(Tenant, {}, { fields: ['id'], orderBy: { id: 'asc' } })
  for (const { id } of tenants) yield* eventsOfTenant(scope, id, bounds)
}

function eventsOfTenant(scope: OperatorScope, tenantId: string, bounds: Bounds) {
  return inBatches(bounds, async id => await scope.em.find(AuditEvent, { tenantId, id }, batch))
}

const batch = { orderBy: { id: 'asc' }, limit: batchSize, disableIdentityMap: true } as const

type IdRange = { $gt?: string; $gte?: string; $lt?: string }

async function* inBatches<Event extends ExportedAuditEvent>(
  { first, end }: Bounds,
  find: (id: IdRange) => Promise<Event[]>,
): AsyncGenerator<Event> {
  let start: IdRange = { $gte: first }
  for (;;) {
    const events = await find({ ...start, ...(end !== undefined && { $lt: end }) })
    yield* events
    const last = events.at(-1)
    if (!last || events.length < batchSize) return
    start = { $gt: last.id }
  }
}
