import { sharedWrite } from '../database/shared-statements.ts'
import {
  boolean,
  bytes,
  enumOf,
  int,
  nullable,
  type Typed,
  text,
  timestamp,
  uuid,
} from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
import { DomainError } from '../errors.ts'
import type { ProviderName } from '../provider-result.ts'
import type { TenantScope } from '../scope.ts'
import { pollingAfterStart } from './polling.policy.ts'

export interface StartedVerification {
  verificationId: string
  /** Opens the hosted flow: a secret of the end user's. */
  sessionUrl: string
  /** Whether this is the first response to the idempotency key again, not a new verification. */
  replayed: boolean
}

const columns = {
  tenantId: uuid,
  verificationId: uuid,
  test: boolean,
  provider: enumOf<ProviderName>('identity_provider'),
  providerSessionId: text,
  now: timestamp,
  closesAt: timestamp,
  /** When the provider is polled for the first time. */
  pollAt: timestamp,
  /** The idempotency key of the request, which returns the same response from then on. */
  keyDigest: nullable(uuid),
  encryptedSessionUrl: nullable(bytes),
}

type ConfirmedStart = Omit<Typed<typeof columns>, 'tenantId' | 'now' | 'closesAt' | 'pollAt'>

/**
 * Turns a reservation into a verification, in one statement with everything that follows from it.
 * Throws `INTERNAL_ERROR` if the reservation was released meanwhile, or if another request owns the idempotency key
 * by now: otherwise both could respond, with two verifications.
 */
export async function confirmStart(scope: TenantScope, start: ConfirmedStart): Promise<void> {
  const { now, rules, actor } = scope
  const closesAt = new Date(now.getTime() + rules.sessionLifetimeMs)
  const pollAt = new Date(now.getTime() + pollingAfterStart.delayMs)
  const values = { ...start, tenantId: actor.tenantId, now, closesAt, pollAt }
  const confirmed = await confirmReservation(scope.pool, values)
  if (confirmed) return
  throw new DomainError('INTERNAL_ERROR', { cause: 'the reservation or the idempotency key was lost' })
}

// Reservations and idempotency keys have two columns: `any` of each would look for every pair. A lateral subquery looks up one
// after the other, which its lock enforces; locked, a row stays at its `ctid`. They are locked in one order, so that groups of
// several processes don't deadlock.
export const confirmReservations = statement({
  name: 'confirm-start',
  text: `with w as materialized (
     select * from ${valueRows(columns)}
   ), locked as (
     select w.position, k.ctid from (select * from w order by tenant_id, key_digest) w cross join lateral (
       select ctid from idempotency_key where tenant_id = w.tenant_id and key_digest = w.key_digest
         and verification_id = w.verification_id for update
     ) k
   ), reserved as (
     delete from start_reservation r using (
       select w.*, s.ctid as place from w cross join lateral (
         select ctid from start_reservation where tenant_id = w.tenant_id and id = w.verification_id for update
       ) s where w.key_digest is null or w.position in (select position from locked)
     ) w where r.ctid = w.place
     returning w.*
   ), started as (
     insert into verification (id, tenant_id, status, test, provider, provider_session_id)
     select verification_id, tenant_id, 'pending', test, provider, provider_session_id from reserved
   ), opened as (
     insert into open_verification (verification_id, tenant_id, status, closes_at, poll_at, poll_attempts)
     select verification_id, tenant_id, 'pending', closes_at, poll_at, ${pollingAfterStart.attempts} from reserved
   ), counted as (
     insert into usage_day as d (tenant_id, day, started)
     select tenant_id, (now at time zone 'UTC')::date, count(*) from reserved group by 1, 2 order by 1, 2
     on conflict (tenant_id, day) do update set started = d.started + excluded.started
   ), stored as (
     update idempotency_key k set encrypted_session_url = r.encrypted_session_url, locked_until = null
     from locked l join reserved r on r.position = l.position where k.ctid = l.ctid
   )
   select position::int from reserved`,
  values: arrayTypes(columns),
  row: { position: int },
})

const confirmReservation = sharedWrite(columns, confirmReservations)
