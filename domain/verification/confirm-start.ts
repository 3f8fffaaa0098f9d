import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'

export interface ConfirmedStart {
  verificationId: string
  providerSessionId: string
  userAgent: string | undefined
  ip: string | undefined
  /** The idempotency key that is answered with it, and the request that holds the key. */
  answers: { key: string; holder: string; answer: Buffer } | undefined
}

const confirm = statement<{ confirmed: number }>(
  'confirm-start',
  `with held as (
     select from idempotency_key k where k.tenant_id = $11::uuid and k.key = $8 and k.holder = $9::uuid for update
   ), reserved as (
     delete from start_reservation where id = $1::uuid and ($8::text is null or exists (select from held))
     returning tenant_id
   ), started as (
     insert into verification
       (id, tenant_id, status, provider_session_id, created_at, closes_at, user_agent, ip, forget_at)
     select $1::uuid, tenant_id, 'pending', $2, $3::timestamptz, $4::timestamptz, $5, $6, $7::timestamptz from reserved
   ), counted as (
     insert into usage_day as d (tenant_id, day, started)
     select tenant_id, ($3::timestamptz at time zone 'UTC')::date, 1 from reserved
     on conflict (tenant_id, day) do update set started = d.started + 1
   ), answered as (
     update idempotency_key k set answer = $10::bytea from reserved r
     where k.tenant_id = r.tenant_id and k.key = $8 and k.holder = $9::uuid
   )
   select count(*)::int as confirmed from reserved`,
)

/**
 * Turns a reservation into a verification, in one statement with all that follows from it.
 * Throws `INTERNAL_ERROR` if the reservation was given back in the meantime, or another request took the key over:
 * both could have answered, with two verifications.
 */
export async function confirmStart(scope: TenantScope, start: ConfirmedStart): Promise<void> {
  const { now, rules } = scope
  const keepsRequestData = start.userAgent !== undefined || start.ip !== undefined
  const [row] = await confirm(scope.pool, [
    start.verificationId,
    start.providerSessionId,
    now,
    new Date(now.getTime() + rules.sessionLifetimeMs),
    start.userAgent ?? null,
    start.ip ?? null,
    keepsRequestData ? new Date(now.getTime() + rules.requestDataRetentionMs) : null,
    start.answers?.key ?? null,
    start.answers?.holder ?? null,
    start.answers?.answer ?? null,
    scope.actor.tenantId,
  ])
  if (row?.confirmed === 1) return
  throw new DomainError('INTERNAL_ERROR', { cause: 'the reservation or the idempotency key had been lost' })
}
