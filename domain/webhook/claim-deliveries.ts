import {
  arrayOf,
  boolean,
  double,
  enumOf,
  int,
  jsonOf,
  nullable,
  text,
  textOf,
  timestamp,
  uuid,
} from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { ProviderName } from '../provider-result.ts'
import type { VerificationStatus } from '../verification-status.ts'
import { type ClaimPool, claimTransaction } from './claim-transaction.ts'
import { completedEvent } from './completed-event.ts'
import type { DeliveryKey, EventType } from './delivery.entity.ts'
import { attemptsMax, createdTooEarly, leaseMs } from './delivery.policy.ts'
import { findWork, lockQueues } from './lock-queues.ts'

export interface ClaimLimits {
  /** Maximum number of deliveries to claim. */
  free: number
  /** Maximum number of a tenant's deliveries in flight, counted over all workers. */
  perTenant: number
  /** How many of the claimed may be a tenant's third or later one in flight. */
  thirdOrLater: number
  /** Tenants with an unresponsive receiver get this instead, and at most `unresponsive` of the claimed in total. */
  perUnresponsiveTenant: number
  unresponsive: number
}

/** A webhook secret that is valid for signing, still encrypted. */
export interface SealedSecret {
  id: string
  /** Hex. */
  sealed: string
}

export interface ClaimedDelivery extends DeliveryKey {
  /** The type of the webhook event. */
  type: EventType
  body: string
  /** The number of this attempt, already counted: 1 to 3. */
  attempt: number
  /** The tenant's URL and valid secrets, newest first, at the time of the claim. */
  url: string
  secrets: SealedSecret[]
  claimToken: string
  /** The trace context of the completion; null if it was not traced. */
  traceparent: string | null
  /** Whether the receiver was unresponsive when the tenant's last attempt failed. */
  isUnresponsive: boolean
}

export interface Claim {
  claimed: ClaimedDelivery[]
  /** Deliveries that were deleted without an attempt: the tenant has no URL any more, or 24 hours have passed. */
  dropped: DeliveryKey[]
  /** Whether deliveries may be left that the claim did not consider: of further tenants, or further ones of a tenant. */
  hasMore: boolean
}

/** Tenants with new deliveries that one claim considers, or as many as it may claim, if that is more. */
const newTenantsMin = 32

/** New deliveries that one claim moves to the waiting ones, in total. */
const movedMax = 256

/**
 * Claims due deliveries in a fair order and counts the attempt that the caller is about to make. The count is
 * committed when it returns: a caller that is killed afterwards has used the attempt up. Deliveries of disabled
 * tenants are claimed too: the result of an earlier verification is still delivered. `claimToken` is random.
 * Throws `DATABASE_ERROR`; then nothing is claimed, or the lease frees what was.
 */
export async function claimDeliveries(
  pool: ClaimPool,
  now: Date,
  limits: ClaimLimits,
  claimToken: string,
): Promise<Claim> {
  const due = { now, ...limits }
  const newTenantsMax = Math.max(newTenantsMin, limits.free)
  const [work] = await findWork(pool, { ...due, start: claimToken, limit: newTenantsMax })
  const { newTenantIds = [], isDue = false } = work ?? {}
  if (newTenantIds.length === 0 && !isDue) return { claimed: [], dropped: [], hasMore: false }
  let rankMax = limits.perTenant
  const rows = await claimTransaction(pool, async connection => {
    const locked = await lockQueues(connection, { ...due, newTenantIds })
    if (locked.length === 0) return []
    rankMax = findRankMax(locked, limits)
    // The next statement sees what was committed before the locks were acquired, so that the limits are exact.
    return await claimOfQueues(connection, {
      ...due,
      tenantIds: locked.map(({ tenantId }) => tenantId),
      rankMax,
      movedMax,
      claimToken,
      leaseUntil: new Date(now.getTime() + leaseMs),
      createdTooEarly: createdTooEarly(now),
      attemptsMax,
    })
  })
  const isCut = rankMax < limits.perTenant && rows.length > 0
  return {
    claimed: rows.filter(isClaimed).map(toDelivery),
    dropped: rows.filter(row => !isClaimed(row)).map(toKey),
    hasMore: isCut || newTenantIds.length === newTenantsMax,
  }
}

/**
 * The lowest rank up to which the responsive tenants can fill the claim: it reads no deliveries beyond. Where some of them
 * have fewer due, the next claim takes those of higher ranks.
 */
function findRankMax(
  queues: Awaited<ReturnType<typeof lockQueues>>,
  { free, perTenant }: ClaimLimits,
): number {
  const responsive = queues.filter(({ isUnresponsive }) => !isUnresponsive)
  for (let rank = 1; rank < perTenant; rank += 1) {
    const places = responsive.reduce((sum, { inFlight }) => sum + Math.max(0, rank - inFlight), 0)
    if (places >= free) return rank
  }
  return perTenant
}

/**
 * Claims from locked queues:
 *
 *     queues → ranked → classed, positioned → chosen → taken → claimed, or dropped
 *        └──── moved: new ones that aren't claimed become `waiting` ────┴→ settled: the counts and times of the queues
 *
 * The order is by a delivery's rank among its tenant's in-flight and due ones: the first of every tenant comes before the
 * second of any. Unresponsive tenants get more than a quarter only if others leave it. The lock of a queue keeps others
 * from changing its deliveries. `taken` looks up one row after the other, which `lateral` and its lock enforce: as a join
 * it was planned, for a small table, as a scan of everything that is due. What is known of a tenant is read once, in
 * `queues`, and handed on: a join with it would compare each delivery with each tenant.
 */
export const claimOfQueues = statement({
  name: 'claim-deliveries',
  text: `with queues as materialized (
    select q.tenant_id, q.in_flight, q.is_unresponsive, t.webhook_url,
      greatest(0, case when q.is_unresponsive then :perUnresponsiveTenant else :rankMax end - q.in_flight) as available, (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('id', s.id, 'sealed', encode(s.encrypted_secret, 'hex'))
            order by s.created_at desc, s.id desc
          ),
          '[]'
        ) from webhook_secret s where s.tenant_id = locked.id and (s.expires_at is null or s.expires_at > :now)
      ) as secrets
    from unnest(:tenantIds) as locked (id)
    cross join lateral (select * from delivery_queue where tenant_id = locked.id) q
    cross join lateral (select webhook_url from tenant where id = locked.id) t
  ), ranked as (
    select due.*, q.in_flight + due.position as rank, q.is_unresponsive, q.webhook_url, q.secrets
    from queues q cross join lateral (
      select e.*, row_number() over (order by e.due_at, e.verification_id) as position from (
        (select created_at, tenant_id, verification_id, due_at from delivery
         where tenant_id = q.tenant_id and state = 'new' order by due_at limit q.available)
        union all
        (select created_at, tenant_id, verification_id, due_at from delivery
         where tenant_id = q.tenant_id and state = 'waiting' and due_at <= :now order by due_at limit q.available)
      ) e order by position limit q.available
    ) due
  ), classed as (
    select *, row_number() over (partition by is_unresponsive order by rank, due_at, verification_id) as class_position
    from ranked
  ), positioned as (
    select *, row_number() over (
      order by is_unresponsive and class_position > :free / 4, rank, due_at, verification_id
    ) as overall_position
    from classed where not is_unresponsive or class_position <= :unresponsive
  ), chosen as materialized (
    select * from positioned where rank <= 2 or overall_position <= :thirdOrLater
    order by overall_position limit :free
  ), taken as materialized (
    select c.*, c.webhook_url is null or c.created_at <= :createdTooEarly as is_over
    from chosen c cross join lateral (
      select from delivery
      where created_at = c.created_at and tenant_id = c.tenant_id and verification_id = c.verification_id
        and attempts < :attemptsMax and state in ('new', 'waiting')
      for update skip locked
    ) locked
  ), dropped as (
    delete from delivery d using taken
    where d.created_at = taken.created_at and d.tenant_id = taken.tenant_id
      and d.verification_id = taken.verification_id and taken.is_over
    returning d.created_at, d.tenant_id, d.verification_id
  ), claimed as (
    update delivery d set state = 'in_flight', attempts = d.attempts + 1, claim_token = :claimToken,
      lease_until = :leaseUntil
    from taken
    where d.created_at = taken.created_at and d.tenant_id = taken.tenant_id
      and d.verification_id = taken.verification_id and not taken.is_over
    returning d.created_at, d.tenant_id, d.verification_id, d.type, d.provider, d.status, d.confidence, d.attempts,
      d.traceparent, taken.webhook_url, taken.is_unresponsive, taken.secrets
  ), moved as (
    update delivery d set state = 'waiting' from (
      select n.created_at, n.tenant_id, n.verification_id from queues q cross join lateral (
        select created_at, tenant_id, verification_id from delivery
        where tenant_id = q.tenant_id and state = 'new' order by due_at limit q.available + :movedMax
      ) n
      where n.verification_id not in (select verification_id from chosen) limit :movedMax
    ) n
    where d.created_at = n.created_at and d.tenant_id = n.tenant_id and d.verification_id = n.verification_id
    returning d.tenant_id, d.due_at
  ), counted as (
    select tenant_id, count(*)::int as claimed from claimed group by tenant_id
  ), added as (
    select tenant_id, min(due_at) as due_at from moved group by tenant_id
  ), settled as (
    update delivery_queue u set in_flight = u.in_flight + coalesce(counted.claimed, 0),
      due_at = least(added.due_at, next.due_at)
    from queues q
    left join counted on counted.tenant_id = q.tenant_id
    left join added on added.tenant_id = q.tenant_id
    left join lateral (
      select min(due_at) as due_at from (
        select due_at, verification_id from delivery
        where tenant_id = q.tenant_id and state = 'waiting' order by due_at limit q.available + 1
      ) w where verification_id not in (select verification_id from taken)
    ) next on true
    where u.tenant_id = q.tenant_id
  )
  select created_at as "createdAt", tenant_id as "tenantId", verification_id as "verificationId", type, provider,
    status, confidence, attempts as attempt, webhook_url as url, is_unresponsive as "isUnresponsive", traceparent,
    secrets, :claimToken as "claimToken"
  from claimed
  union all
  select created_at, tenant_id, verification_id, null, null, null, null, null, null, null, null, null, null from dropped`,
  values: {
    tenantIds: arrayOf(uuid),
    now: timestamp,
    free: int,
    rankMax: int,
    thirdOrLater: int,
    perUnresponsiveTenant: int,
    unresponsive: int,
    movedMax: int,
    claimToken: uuid,
    leaseUntil: timestamp,
    createdTooEarly: timestamp,
    attemptsMax: int,
  },
  row: {
    createdAt: timestamp,
    tenantId: uuid,
    verificationId: uuid,
    // From here on null for a delivery that was dropped.
    type: nullable(enumOf<EventType>('webhook_event_type')),
    provider: nullable(enumOf<ProviderName>('identity_provider')),
    status: nullable(textOf<VerificationStatus>()),
    confidence: nullable(double),
    attempt: nullable(int),
    url: nullable(text),
    isUnresponsive: nullable(boolean),
    traceparent: nullable(text),
    secrets: nullable(jsonOf<SealedSecret[]>()),
    claimToken: nullable(uuid),
  },
})

type ClaimRow = Awaited<ReturnType<typeof claimOfQueues>>[number]
type ClaimedRow = {
  [Column in Exclude<keyof ClaimRow, 'traceparent'>]: NonNullable<ClaimRow[Column]>
} & Pick<ClaimRow, 'traceparent'>

function isClaimed(row: ClaimRow): row is ClaimedRow {
  return row.claimToken !== null
}

/** With the body of the event, which is the same for each attempt. */
function toDelivery({ status, confidence, provider, ...delivery }: ClaimedRow): ClaimedDelivery {
  const { tenantId, verificationId, createdAt } = delivery
  const body = completedEvent({ tenantId, verificationId, status, confidence, provider }, createdAt)
  return { ...delivery, body }
}

function toKey({ tenantId, verificationId, createdAt }: ClaimRow): DeliveryKey {
  return { tenantId, verificationId, createdAt }
}
