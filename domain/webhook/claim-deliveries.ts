import { arrayOf, int, jsonOf, nullable, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { type ClaimPool, withClaimLock } from './claim-lock.ts'
import type { DeliveryKey } from './delivery.entity.ts'
import { attemptsMax, createdTooEarly, leaseMs } from './delivery.policy.ts'

export interface ClaimLimits {
  /** Maximum number of deliveries to claim. */
  free: number
  /** Maximum number of a tenant's deliveries in flight, counted over all workers. */
  perTenant: number
  /** How many of the claimed may be a tenant's third or later one in flight. */
  wide: number
  /** Tenants whose last attempt hung. They get `perHungTenant` instead, and at most `hung` of the claimed in total. */
  hungTenants: readonly string[]
  perHungTenant: number
  hung: number
}

/** A webhook secret that is valid for signing, still encrypted. */
export interface SealedSecret {
  id: string
  /** Hex. */
  sealed: string
}

export interface ClaimedDelivery extends DeliveryKey {
  body: string
  /** The number of this attempt, already counted: 1 to 3. */
  attempt: number
  createdAt: Date
  /** The tenant's URL and valid secrets, newest first, at the time of the claim. */
  url: string
  secrets: SealedSecret[]
  claimToken: string
}

export interface Claim {
  claimed: ClaimedDelivery[]
  /** Deliveries that were deleted without an attempt: the tenant has no URL any more, or 24 hours have passed. */
  dropped: DeliveryKey[]
}

/**
 * Claims due deliveries in a fair order and counts the attempt that the caller is about to make. The count is
 * committed when it returns: a caller that is killed afterwards has used the attempt up. Deliveries of disabled
 * tenants are claimed too: the result of an earlier verification is still delivered.
 * Throws `DATABASE_ERROR`; then nothing is claimed, or the lease frees what was.
 */
export async function claimDeliveries(
  pool: ClaimPool,
  now: Date,
  limits: ClaimLimits,
  claimToken: string,
): Promise<Claim> {
  const values = {
    ...limits,
    hungTenants: [...limits.hungTenants],
    now,
    claimToken,
    leaseUntil: new Date(now.getTime() + leaseMs),
    createdTooEarly: createdTooEarly(now),
    attemptsMax,
  }
  const rows = await withClaimLock(pool, connection => claimDueDeliveries(connection, values))
  const isClaimed = (row: (typeof rows)[number]) => row.claimToken !== null
  return {
    claimed: rows.filter(isClaimed) as ClaimedDelivery[],
    dropped: rows
      .filter(row => !isClaimed(row))
      .map(({ tenantId, verificationId, type }) => ({
        tenantId,
        verificationId,
        type,
      })),
  }
}

/**
 * `pending_tenants` skips from tenant to tenant over the index, so its time grows with the number of tenants and not
 * with their backlogs. The order is by a delivery's rank among its tenant's in-flight and due ones: the first of
 * every tenant comes before the second of any. `taken` looks up one row after the other, which `lateral` and its
 * lock enforce: as a join it was planned, for a small table, as a scan of everything that is pending.
 */
export const claimDueDeliveries = statement({
  name: 'claim-deliveries',
  text: `with recursive pending_tenants as (
    (select tenant_id from delivery where state = 'pending' order by tenant_id limit 1)
    union all
    select (
      select d.tenant_id from delivery d where d.state = 'pending' and d.tenant_id > p.tenant_id
      order by d.tenant_id limit 1
    ) from pending_tenants p where p.tenant_id is not null
  ), busy as (
    select tenant_id, count(*)::int as n from delivery where state = 'in_flight' group by tenant_id
  ), ranked as (
    select due.*, due.position + coalesce(busy.n, 0) as rank, hung.id is not null as is_hung
    from pending_tenants p
    left join busy on busy.tenant_id = p.tenant_id
    left join unnest(:hungTenants) as hung (id) on hung.id = p.tenant_id
    cross join lateral (
      select d.tenant_id, d.verification_id, d.type, d.due_at,
        row_number() over (order by d.due_at, d.verification_id, d.type) as position
      from delivery d
      where d.state = 'pending' and d.tenant_id = p.tenant_id and d.due_at <= :now
      order by d.due_at, d.verification_id, d.type
      limit greatest(0, case when hung.id is null then :perTenant else :perHungTenant end - coalesce(busy.n, 0))
    ) due
    where p.tenant_id is not null
  ), classed as (
    select *, row_number() over (partition by is_hung order by rank, due_at, verification_id, type) as class_position
    from ranked
  ), positioned as (
    select tenant_id, verification_id, type, rank,
      row_number() over (order by rank, due_at, verification_id, type) as overall_position
    from classed where not is_hung or class_position <= :hung
  ), chosen as (
    select tenant_id, verification_id, type from positioned where rank <= 2 or overall_position <= :wide
    order by overall_position limit :free
  ), taken as (
    select d.*, t.webhook_url, t.webhook_url is null or d.created_at <= :createdTooEarly as is_over
    from chosen c cross join lateral (
      select tenant_id, verification_id, type, created_at from delivery
      where tenant_id = c.tenant_id and verification_id = c.verification_id and type = c.type
        and attempts < :attemptsMax and state not in ('in_flight', 'delivered', 'failed')
      for update skip locked
    ) d join tenant t on t.id = d.tenant_id
  ), dropped as (
    delete from delivery d using taken
    where d.tenant_id = taken.tenant_id and d.verification_id = taken.verification_id and d.type = taken.type
      and taken.is_over
    returning d.tenant_id, d.verification_id, d.type
  ), claimed as (
    update delivery d set state = 'in_flight', attempts = d.attempts + 1, claim_token = :claimToken,
      lease_until = :leaseUntil
    from taken
    where d.tenant_id = taken.tenant_id and d.verification_id = taken.verification_id and d.type = taken.type
      and not taken.is_over
    returning d.tenant_id, d.verification_id, d.type, d.body, d.attempts, d.created_at, taken.webhook_url
  )
  select tenant_id as "tenantId", verification_id as "verificationId", type, body, attempts as attempt,
    created_at as "createdAt", webhook_url as url, (
      select coalesce(
        jsonb_agg(
          jsonb_build_object('id', s.id, 'sealed', encode(s.encrypted_secret, 'hex'))
          order by s.created_at desc, s.id desc
        ),
        '[]'
      ) from webhook_secret s
      where s.tenant_id = claimed.tenant_id and (s.expires_at is null or s.expires_at > :now)
    ) as secrets, :claimToken as "claimToken"
  from claimed
  union all
  select tenant_id, verification_id, type, null, null, null, null, null, null from dropped`,
  values: {
    now: timestamp,
    free: int,
    perTenant: int,
    wide: int,
    hungTenants: arrayOf(uuid),
    perHungTenant: int,
    hung: int,
    claimToken: uuid,
    leaseUntil: timestamp,
    createdTooEarly: timestamp,
    attemptsMax: int,
  },
  row: {
    tenantId: uuid,
    verificationId: uuid,
    type: text,
    // From here on null for a delivery that was dropped.
    body: nullable(text),
    attempt: nullable(int),
    createdAt: nullable(timestamp),
    url: nullable(text),
    secrets: nullable(jsonOf<SealedSecret[]>()),
    claimToken: nullable(uuid),
  },
})
