import {
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
import { type StatementPool, statement } from '../database/statement.ts'
import type { ProviderName } from '../provider-result.ts'
import type { VerificationStatus } from '../verification-status.ts'
import { completedEvent } from './completed-event.ts'
import type { DeliveryKey, EventType } from './delivery.entity.ts'
import { attemptsMax, leaseMs } from './delivery.policy.ts'

export interface ClaimLimits {
  /** Maximum number of deliveries to claim. */
  limit: number
  /** Maximum number of a tenant's deliveries in flight, counted over all workers. */
  perTenant: number
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
  /** The tenant's URL, null if it has none any more, and valid secrets, newest first, at the time of the claim. */
  url: string | null
  secrets: SealedSecret[]
  /** Whether the tenant is a test tenant, which can ask for its events. */
  test: boolean
  /** The end of the lease, which is the fencing token: no other claim of the delivery has the same. */
  leaseUntil: Date
}

/**
 * Claims due deliveries and counts the attempt that the caller is about to make. The count is committed when it returns:
 * a caller that is killed afterwards has used the attempt up. If it returns less than the limit, nothing else is due, or
 * it is of tenants that have their maximum in flight. Deliveries of disabled tenants are claimed too: the result of an
 * earlier verification is still delivered. Throws `DATABASE_ERROR`; then nothing is claimed, or the lease frees what was.
 */
export async function claimDeliveries(
  pool: StatementPool,
  now: Date,
  limits: ClaimLimits,
): Promise<ClaimedDelivery[]> {
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const rows = await claimDueDeliveries(pool, { ...limits, now, leaseUntil, attemptsMax })
  return rows.map(row => toDelivery(row, leaseUntil))
}

/**
 * `oldest` skips over the index from one tenant that has something due to the next, and `tenants` are those of them that have
 * room, whose events have waited longest first. Each gives an equal share of what is claimed, its oldest deliveries. So neither
 * a backlog nor those in flight are read, only one entry of each tenant and the number that it has in flight. `offset 0` has
 * the secrets read for each tenant instead of each delivery. Workers that count at the same moment may exceed a tenant's
 * maximum together.
 */
export const claimDueDeliveries = statement({
  name: 'claim-deliveries',
  text: `with recursive oldest as (
    (select tenant_id, due_at from delivery where state = 'new' order by tenant_id, due_at limit 1)
    union all
    select next.* from oldest cross join lateral (
      select tenant_id, due_at from delivery
      where state = 'new' and tenant_id > oldest.tenant_id order by tenant_id, due_at limit 1
    ) next
  ), tenants as materialized (
    select oldest.tenant_id, counted.room from oldest cross join lateral (
      select :perTenant - count(*)::int as room from delivery
      where state = 'in_flight' and tenant_id = oldest.tenant_id
    ) counted where counted.room > 0 order by oldest.due_at limit :limit
  ), chosen as materialized (
    select due.row_id, receiver.* from tenants cross join lateral (
      select webhook_url, test, (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('id', s.id, 'sealed', encode(s.encrypted_secret, 'hex'))
            order by s.created_at desc, s.id desc
          ),
          '[]'
        ) from webhook_secret s where s.tenant_id = tenants.tenant_id and (s.expires_at is null or s.expires_at > :now)
      ) as secrets
      from tenant where id = tenants.tenant_id offset 0
    ) receiver cross join lateral (
      select ctid as row_id from delivery
      where state = 'new' and tenant_id = tenants.tenant_id and attempts < :attemptsMax
      order by due_at
      limit least(tenants.room, ceil(:limit::float8 / (select count(*) from tenants)))
      for update skip locked
    ) due limit :limit
  )
  update delivery d set state = 'in_flight', attempts = d.attempts + 1, due_at = :leaseUntil
  from chosen where d.ctid = chosen.row_id
  returning d.created_at as "createdAt", d.tenant_id as "tenantId", d.verification_id as "verificationId", d.type,
    d.provider, d.status, d.confidence, d.attempts as attempt, chosen.webhook_url as url, chosen.test, chosen.secrets`,
  values: { now: timestamp, limit: int, perTenant: int, leaseUntil: timestamp, attemptsMax: int },
  row: {
    createdAt: timestamp,
    tenantId: uuid,
    verificationId: uuid,
    type: enumOf<EventType>('webhook_event_type'),
    provider: enumOf<ProviderName>('identity_provider'),
    status: textOf<VerificationStatus>(),
    confidence: double,
    attempt: int,
    url: nullable(text),
    test: boolean,
    secrets: jsonOf<SealedSecret[]>(),
  },
})

type ClaimRow = Awaited<ReturnType<typeof claimDueDeliveries>>[number]

/** With the body of the event, which is the same for each attempt. */
function toDelivery({ status, confidence, provider, ...row }: ClaimRow, leaseUntil: Date): ClaimedDelivery {
  const { tenantId, verificationId, createdAt } = row
  const body = completedEvent({ tenantId, verificationId, status, confidence, provider }, createdAt)
  return { ...row, body, leaseUntil }
}
