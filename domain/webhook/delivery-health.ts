import { arrayOf, int, nullable, text, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { attemptsMax } from './delivery.policy.ts'
import { describeFailure, type FailureInWords, ownFailures } from './delivery-failure.ts'

/** The latest attempt that failed, of an event that is not accepted. */
export interface LatestFailure extends FailureInWords {
  at: Date
}

/** What became of a tenant's events, as far as it is known: their deliveries are stored for 24 hours. */
export interface DeliveryHealth {
  /** When the receiver accepted the latest event; null if it accepted none. */
  acceptedAt: Date | null
  latestFailure: LatestFailure | null
  /**
   * Set while the receiver fails: all attempts since it last accepted an event have failed, and they are three or more. It began
   * when the first of these events was due, or, if that is later, with the latest one that was accepted.
   */
  failing: (LatestFailure & { events: number; since: Date; firstDescription: string }) | null
}

/** Without a webhook URL, the receiver can't fail. */
export async function getDeliveryHealth(scope: TenantScope): Promise<DeliveryHealth> {
  const { webhookUrl } = await findTenant(scope)
  const { tenantId } = scope.actor
  const [row] = await findFailedAttempts(scope.pool, { tenantId, limit: eventsMax, ownFailures })
  const { acceptedAt, failedAt, failure, attempts, receiverFailedAt, receiverFailure, ...began } = row!
  const { events, since, firstFailure } = began
  const isFailing = webhookUrl && attempts >= attemptsMax
  const firstDescription = describeFailure(firstFailure ?? '').description
  return {
    acceptedAt,
    latestFailure: toFailure(failedAt, failure),
    failing: isFailing
      ? { ...toFailure(receiverFailedAt, receiverFailure)!, events, since: since!, firstDescription }
      : null,
  }
}

function toFailure(at: Date | null, failure: string | null): LatestFailure | null {
  return at && failure ? { at, ...describeFailure(failure) } : null
}

/** The latest events that are read, of each state; the first one is read as well. */
const eventsMax = 1_000

const failedEvents = `select created_at, verification_id, attempted_at, failure, attempts - (state = 'in_flight')::int as attempts
       from delivery where tenant_id = :tenantId and state = unaccepted.state and attempted_at is not null`

export const findFailedAttempts = statement({
  name: 'find-failed-attempts',
  text: `with accepted as materialized (
     select max(attempted_at) as at from delivery
     where tenant_id = :tenantId and state = 'delivered' and attempted_at is not null
   ), failed as materialized (
     select d.*, d.failure <> all (:ownFailures) and d.attempted_at > coalesce(accepted.at, '-infinity') as counts,
       greatest(d.created_at, accepted.at) as since
     from accepted cross join unnest(array['new', 'waiting', 'in_flight', 'failed']) as unaccepted (state)
     cross join lateral (
       (${failedEvents} order by attempted_at desc limit :limit) union
       (${failedEvents} and attempted_at > coalesce(accepted.at, '-infinity') order by attempted_at limit 1)
     ) d
   )
   select (select at from accepted) as "acceptedAt", max(attempted_at) as "failedAt",
     (array_agg(failure order by attempted_at desc))[1] as failure, count(*) filter (where counts)::int as events,
     coalesce(sum(attempts) filter (where counts), 0)::int as attempts,
     max(attempted_at) filter (where counts) as "receiverFailedAt",
     (array_agg(failure order by attempted_at desc) filter (where counts))[1] as "receiverFailure",
     min(since) filter (where counts) as since,
     (array_agg(failure order by created_at) filter (where counts))[1] as "firstFailure"
   from failed`,
  values: { tenantId: uuid, limit: int, ownFailures: arrayOf(text) },
  row: {
    acceptedAt: nullable(timestamp),
    failedAt: nullable(timestamp),
    failure: nullable(text),
    events: int,
    attempts: int,
    receiverFailedAt: nullable(timestamp),
    receiverFailure: nullable(text),
    since: nullable(timestamp),
    firstFailure: nullable(text),
  },
})

/** Of how many tenants the receiver has failed for an hour, as far as it is known. Throws `DATABASE_ERROR`. */
export async function countFailingReceivers(pool: StatementPool, now: Date): Promise<number> {
  const [row] = await countFailingTenants(pool, { now, ownFailures })
  return row!.tenants
}

export const countFailingTenants = statement({
  name: 'count-failing-tenants',
  text: `select count(*)::int as tenants from tenant t
   cross join lateral (
     select max(attempted_at) as at from delivery
     where tenant_id = t.id and state = 'delivered' and attempted_at is not null
   ) accepted
   where t.webhook_url is not null and coalesce(accepted.at, '-infinity') <= :now - interval '1 hour' and exists (
     select from unnest(array['new', 'waiting', 'in_flight', 'failed']) as unaccepted (state) cross join lateral (
       select from delivery d where d.tenant_id = t.id and d.state = unaccepted.state and d.attempted_at is not null
         and d.attempted_at > coalesce(accepted.at, '-infinity') and d.created_at <= :now - interval '1 hour'
         and d.failure <> all (:ownFailures) limit 1
     ) failed
   )`,
  values: { now: timestamp, ownFailures: arrayOf(text) },
  row: { tenants: int },
})

/** The events of the last 24 hours that were attempted, each up to 10,000. */
export interface DeliveryCounts {
  accepted: number
  /** They failed, and have an attempt left. */
  retrying: number
  givenUp: number
}

/** Counting stops here, so that it stays cheap. */
export const countedMax = 10_000

export async function countDeliveries({ pool, actor: { tenantId } }: TenantScope): Promise<DeliveryCounts> {
  const [row] = await countTenantDeliveries(pool, { tenantId, limit: countedMax })
  return row!
}

const countedIn = (states: string) => `(select count(*) from (
     select from delivery where tenant_id = :tenantId and state in (${states}) and attempted_at is not null limit :limit
   ) counted)::int`

export const countTenantDeliveries = statement({
  name: 'count-tenant-deliveries',
  text: `select ${countedIn(`'delivered'`)} as accepted, ${countedIn(`'new', 'waiting', 'in_flight'`)} as retrying,
     ${countedIn(`'failed'`)} as "givenUp"`,
  values: { tenantId: uuid, limit: int },
  row: { accepted: int, retrying: int, givenUp: int },
})
