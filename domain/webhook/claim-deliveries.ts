import { statement } from '../database/statement.ts'
import { type ClaimPool, withClaimLock } from './claim-lock.ts'
import { attemptsMax, createdTooEarly, leaseMs } from './delivery.policy.ts'

export interface ClaimLimits {
  /** Deliveries to claim at most. */
  free: number
  /** Deliveries in flight for one tenant at most, counted over all workers. */
  perTenant: number
  /** How many of the claimed may be a tenant's third or later one in flight. */
  wide: number
  /** Tenants whose last attempt hung; they get `perHungTenant` instead, and `hung` of the claimed in all. */
  hungTenants: readonly string[]
  perHungTenant: number
  hung: number
}

/** A webhook secret that may be signed with, still sealed. */
export interface SealedSecret {
  id: string
  /** Hex. */
  sealed: string
}

export interface ClaimedDelivery {
  id: string
  tenantId: string
  verificationId: string
  body: string
  /** Which attempt this is, already counted: 1 to 3. */
  attempt: number
  /** Milliseconds since 1970. */
  createdAt: number
  /** The tenant's URL and acceptable secrets, the newest first, at the moment of the claim. */
  url: string
  secrets: SealedSecret[]
  claimToken: string
}

type ClaimRow = ClaimedDelivery | { id: string; claimToken: null }

export interface Claim {
  claimed: ClaimedDelivery[]
  /** Ids of deliveries that ended without an attempt: the tenant has no URL any more, or 24 hours are over. */
  dropped: string[]
}

/**
 * Values: $1 now, $2 free, $3 per tenant, $4 hung tenants, $5 per hung tenant, $6 hung, $7 wide, $8 claim token,
 * $9 lease until, $10 created too early, $11 attempts at most.
 * `waiting` hops from tenant to tenant over the index, so its time follows the tenants and not their backlogs.
 * The order is by a delivery's rank among its tenant's in flight and due ones: each tenant's first comes before
 * any tenant's second. `taken` looks up one row after the other, which `lateral` and its lock make sure of: as a
 * join it was planned, for a small table, as a walk over all that waits.
 */
const claim = statement<ClaimRow>(
  'claim-deliveries',
  `with recursive waiting as (
    (select tenant_id from delivery where state = 'pending' order by tenant_id limit 1)
    union all
    select (
      select d.tenant_id from delivery d where d.state = 'pending' and d.tenant_id > w.tenant_id
      order by d.tenant_id limit 1
    ) from waiting w where w.tenant_id is not null
  ), busy as (
    select tenant_id, count(*)::int as n from delivery where state = 'in_flight' group by tenant_id
  ), ranked as (
    select due.id, due.due_at, due.place + coalesce(busy.n, 0) as rank, hung.id is not null as is_hung
    from waiting w
    left join busy on busy.tenant_id = w.tenant_id
    left join unnest($4::uuid[]) as hung (id) on hung.id = w.tenant_id
    cross join lateral (
      select d.id, d.due_at, row_number() over (order by d.due_at, d.id) as place from delivery d
      where d.state = 'pending' and d.tenant_id = w.tenant_id and d.due_at <= $1
      order by d.due_at, d.id
      limit greatest(0, case when hung.id is null then $3::int else $5::int end - coalesce(busy.n, 0))
    ) due
    where w.tenant_id is not null
  ), shared as (
    select *, row_number() over (partition by is_hung order by rank, due_at, id) as class_place from ranked
  ), placed as (
    select *, row_number() over (order by rank, due_at, id) as place from shared
    where not is_hung or class_place <= $6::int
  ), chosen as (
    select id from placed where rank <= 2 or place <= $7::int order by place limit $2::int
  ), taken as (
    select d.id, t.webhook_url, t.webhook_url is null or d.created_at <= $10::timestamptz as is_over
    from chosen c cross join lateral (
      select id, tenant_id, created_at from delivery
      where id = c.id and attempts < $11::int and state not in ('in_flight', 'delivered', 'failed')
      for update skip locked
    ) d join tenant t on t.id = d.tenant_id
  ), dropped as (
    delete from delivery d using taken where d.id = taken.id and taken.is_over returning d.id
  ), claimed as (
    update delivery d set state = 'in_flight', attempts = d.attempts + 1, claim_token = $8::uuid, lease_until = $9
    from taken where d.id = taken.id and not taken.is_over
    returning d.id, d.tenant_id, d.verification_id, d.body, d.attempts, d.created_at, taken.webhook_url
  )
  select c.id, c.tenant_id as "tenantId", c.verification_id as "verificationId", c.body, c.attempts as attempt,
    (extract(epoch from c.created_at) * 1000)::float8 as "createdAt", c.webhook_url as url, c.secrets,
    $8::text as "claimToken"
  from (
    select claimed.*, (
      select coalesce(
        json_agg(json_build_object('id', s.id, 'sealed', encode(s.sealed, 'hex')) order by s.created_at desc, s.id desc),
        '[]'
      ) from webhook_secret s
      where s.tenant_id = claimed.tenant_id and (s.valid_until is null or s.valid_until > $1)
    ) as secrets from claimed
  ) c
  union all
  select id, null, null, null, null, null, null, null, null from dropped`,
)

/**
 * Claims due deliveries in a fair order and counts the attempt that the caller is about to make. When it
 * returns, the count is committed: a caller that is killed from here on has used the attempt up. Deliveries of
 * disabled tenants are claimed too: what was verified before is still told.
 * Throws `DATABASE_ERROR`; nothing is claimed then, or it is left to the lease.
 */
export async function claimDeliveries(
  pool: ClaimPool,
  now: Date,
  limits: ClaimLimits,
  claimToken: string,
): Promise<Claim> {
  const values = [
    now,
    limits.free,
    limits.perTenant,
    limits.hungTenants,
    limits.perHungTenant,
    limits.hung,
    limits.wide,
    claimToken,
    new Date(now.getTime() + leaseMs),
    createdTooEarly(now),
    attemptsMax,
  ]
  const rows = await withClaimLock(pool, connection => claim(connection, values))
  const isClaimed = (row: ClaimRow): row is ClaimedDelivery => row.claimToken !== null
  const dropped = rows.filter(row => !isClaimed(row)).map(row => row.id)
  return { claimed: rows.filter(isClaimed), dropped }
}
