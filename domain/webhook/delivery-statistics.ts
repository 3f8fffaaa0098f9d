import { int, nullable, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { type AnyOperatorScope, boundTenant, forTenant } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import type { DeliveryState } from './delivery.entity.ts'

interface TenantDeliveries {
  tenantId: string
  name: string
  /** Including the new ones. */
  waiting: number
  inFlight: number
  failed: number
  oldestDueAt: Date | null
  /** The most frequent reason of a failed attempt. */
  failure: string | null
}

const tenantsMax = 20

/** The deliveries of the last 24 hours, of all tenants or of one. Reads the whole table once. Throws `INVALID_PARAMETERS` for an unknown tenant. */
export async function deliveryStatistics(scope: AnyOperatorScope) {
  const tenantId = boundTenant(scope) ?? null
  if (tenantId) await findTenant(forTenant(scope, tenantId))
  return summarize(await countDeliveriesByTenant(scope.pool, { tenantId }))
}

export const countDeliveriesByTenant = statement({
  name: 'count-deliveries-by-tenant',
  text: `select d.*, t.name from (
     select tenant_id as "tenantId", count(*) filter (where state = 'new')::int as new,
       count(*) filter (where state = 'waiting')::int as waiting,
       count(*) filter (where state = 'in_flight')::int as in_flight,
       count(*) filter (where state = 'delivered')::int as delivered,
       count(*) filter (where state = 'failed')::int as failed,
       min(due_at) filter (where state in ('new', 'waiting')) as "oldestDueAt",
       mode() within group (order by failure) as failure
     from delivery where :tenantId is null or tenant_id = :tenantId group by tenant_id
   ) d join tenant t on t.id = d."tenantId"`,
  values: { tenantId: nullable(uuid) },
  row: {
    tenantId: uuid,
    new: int,
    waiting: int,
    in_flight: int,
    delivered: int,
    failed: int,
    oldestDueAt: nullable(timestamp),
    failure: nullable(text),
    name: text,
  },
})

type CountedRow = Awaited<ReturnType<typeof countDeliveriesByTenant>>[number]

function summarize(rows: CountedRow[]) {
  const sum = (state: DeliveryState) => rows.reduce((total, row) => total + row[state], 0)
  const oldest = Math.min(...rows.map(row => row.oldestDueAt?.getTime() ?? Infinity))
  return {
    new: sum('new'),
    waiting: sum('waiting'),
    in_flight: sum('in_flight'),
    delivered: sum('delivered'),
    failed: sum('failed'),
    /** When the first delivery was due that waits for an attempt, or is due; null if none waits. */
    oldestDueAt: Number.isFinite(oldest) ? new Date(oldest) : null,
    /** Those with deliveries that wait, are in flight or have failed, those with the most first; 20 at most. */
    tenants: rows
      .map(toTenant)
      .filter(tenant => countUnfinished(tenant) > 0)
      .toSorted((one, other) => countUnfinished(other) - countUnfinished(one))
      .slice(0, tenantsMax),
  }
}

function toTenant({
  new: added,
  waiting,
  in_flight: inFlight,
  delivered,
  ...row
}: CountedRow): TenantDeliveries {
  return { ...row, waiting: added + waiting, inFlight }
}

function countUnfinished({ waiting, inFlight, failed }: TenantDeliveries): number {
  return waiting + inFlight + failed
}
