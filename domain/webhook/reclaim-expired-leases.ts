import { int, text, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { DeliveryKey } from './delivery.entity.ts'
import { attemptsMax, leaseMs } from './delivery.policy.ts'

const batchSize = 1_000

export interface ReclaimedDeliveries {
  /** Due again immediately. */
  pending: DeliveryKey[]
  /** Their last attempt was lost with the worker. */
  failed: DeliveryKey[]
}

/**
 * Reclaims deliveries whose worker let its lease expire: it was killed, or lost its connections. Their attempts stay
 * counted, as the request may have been sent. Throws `DATABASE_ERROR`.
 */
export async function reclaimExpiredLeases(pool: StatementPool, now: Date): Promise<ReclaimedDeliveries> {
  const rows = await reclaimLeases(pool, {
    now,
    latestLease: new Date(now.getTime() + leaseMs),
    limit: batchSize,
    attemptsMax,
  })
  const keysOf = (wanted: 'pending' | 'failed') =>
    rows.filter(({ state }) => state === wanted).map(({ state, ...key }) => key)
  return { pending: keysOf('pending'), failed: keysOf('failed') }
}

/** A lease later than any that can be given now is from before the clock was set back; it counts as expired too. */
export const reclaimLeases = statement({
  name: 'reclaim-expired-leases',
  text: `update delivery d set
     state = case when d.attempts >= :attemptsMax then 'failed' else 'pending' end,
     due_at = :now, claim_token = null, lease_until = null
   from (
     select tenant_id, verification_id, type from delivery
     where state = 'in_flight' and (lease_until <= :now or lease_until > :latestLease)
     limit :limit for update skip locked
   ) lost
   where d.tenant_id = lost.tenant_id and d.verification_id = lost.verification_id and d.type = lost.type
   returning d.tenant_id as "tenantId", d.verification_id as "verificationId", d.type, d.state`,
  values: { now: timestamp, latestLease: timestamp, limit: int, attemptsMax: int },
  row: { tenantId: uuid, verificationId: uuid, type: text, state: textOf<'pending' | 'failed'>() },
})
