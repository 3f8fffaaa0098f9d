import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import type { SignedToken } from '../token/sign-age-token.ts'
import type { LoadedVerification } from './load-verification.ts'
import type { Report, VerificationState, VerificationStatus } from './verification.policy.ts'

export interface Move {
  verification: LoadedVerification
  report: Report
  state: VerificationState
  token: SignedToken | undefined
  event: { id: string; body: string } | undefined
}

/** The columns of a timeline entry that tell what was reported, as values $2 to $7. */
const noted = 'source, attempt_id, code, reason_code, score, decided_at'

const moveOn = statement<{ moved: number }>(
  'move-verification',
  `with moved as (
     update verification set revision = revision + 1, status = $10, attempt_id = $11, past_attempt_ids = $12,
       decided_at = $13
     where id = $1 and revision = $9 returning id
   ), noted as (
     insert into verification_change (verification_id, at, status, applied, ${noted})
     select id, $8::timestamptz, $10, true, $2, $3, $4::int, $5, $6::float8, $7::timestamptz from moved
   )
   select count(*)::int as moved from moved`,
)

const complete = statement<{ moved: number }>(
  'complete-verification',
  `with moved as (
     update verification set revision = revision + 1, status = $10, attempt_id = $11, past_attempt_ids = $12,
       decided_at = $13, completed_at = $8, confidence = $14, over18 = $15, ask_provider_at = null
     where id = $1 and revision = $9 returning id, tenant_id
   ), noted as (
     insert into verification_change (verification_id, at, status, applied, ${noted})
     select id, $8::timestamptz, $10, true, $2, $3, $4::int, $5, $6::float8, $7::timestamptz from moved
   ), counted as (
     insert into usage_day as d (tenant_id, day, approved, denied, rejected, submitted, resubmission)
     select tenant_id, ($8::timestamptz at time zone 'UTC')::date, ($10 = 'approved')::int, ($10 = 'denied')::int,
       ($10 = 'rejected')::int, ($10 = 'submitted')::int, ($10 = 'resubmission')::int from moved
     on conflict (tenant_id, day) do update set approved = d.approved + excluded.approved,
       denied = d.denied + excluded.denied, rejected = d.rejected + excluded.rejected,
       submitted = d.submitted + excluded.submitted, resubmission = d.resubmission + excluded.resubmission
   ), issued as (
     insert into token (id, verification_id, kid, jwt, over18, issued_at, expires_at)
     select $16::uuid, id, $17, $18, $19::bool, $20::timestamptz, $21::timestamptz from moved
     where $16::uuid is not null
   ), queued as (
     insert into delivery (id, tenant_id, verification_id, body, state, due_at, created_at)
     select $22::uuid, m.tenant_id, m.id, $23, 'pending', $8::timestamptz, $8::timestamptz
     from moved m join tenant t on t.id = m.tenant_id where t.webhook_url is not null
   )
   select count(*)::int as moved from moved`,
)

const contradict = statement<{ recorded: boolean }>(
  'contradict-verification',
  `with known as (
     select from verification_change where verification_id = $1::uuid and not applied and status = $10
       and attempt_id is not distinct from $3 and decided_at is not distinct from $7::timestamptz
   ), admitted as (
     update verification set revision = revision + 1
     where id = $1::uuid and revision = $9 and not exists (select from known) returning id
   ), noted as (
     insert into verification_change (verification_id, at, status, applied, ${noted})
     select id, $8::timestamptz, $10, false, $2, $3, $4::int, $5, $6::float8, $7::timestamptz from admitted
   ), revoked as (
     update token set revoked_at = $8 where verification_id = $1::uuid and revoked_at is null and $11::bool
   )
   select exists (select from known) or exists (select from admitted) as recorded`,
)

/**
 * Writes a move over the revision that it was decided on, with all that follows from it: the timeline, and for
 * a completion the usage, the token and the delivery of the event. False if another change got ahead.
 */
export async function writeMove(scope: Scope, move: Move): Promise<boolean> {
  const { verification, state, token, event } = move
  const { status, attemptId, pastAttemptIds, decidedAt } = state
  const values = [
    ...notedValues(scope, verification.id, move.report),
    verification.revision,
    status,
    attemptId,
    pastAttemptIds,
    decidedAt,
  ]
  if (!event) return wasMoved(await moveOn(scope.pool, values))
  const issued = [token?.jti, token?.kid, token?.jwt, token?.over18, token?.issuedAt, token?.expiresAt]
  const completing = [
    state.confidence,
    state.over18,
    ...issued.map(value => value ?? null),
    event.id,
    event.body,
  ]
  return wasMoved(await complete(scope.pool, [...values, ...completing]))
}

/**
 * Records a late result that contradicts what the tenant was told; once, however often it arrives. False if
 * another change got ahead.
 */
export async function writeContradiction(
  scope: Scope,
  verification: LoadedVerification,
  report: Report,
  contradiction: { status: VerificationStatus; revokesToken: boolean },
): Promise<boolean> {
  const { id, revision } = verification
  const { status, revokesToken } = contradiction
  const values = [...notedValues(scope, id, report), revision, status, revokesToken]
  const [written] = await contradict(scope.pool, values)
  return written?.recorded === true
}

function notedValues(scope: Scope, verificationId: string, report: Report): unknown[] {
  const result = report.by === 'provider' ? report.result : undefined
  return [
    verificationId,
    report.by,
    result?.attemptId ?? null,
    result?.code ?? null,
    result?.reasonCode ?? null,
    result?.score ?? null,
    result?.decidedAt ?? null,
    scope.now,
  ]
}

function wasMoved(rows: { moved: number }[]): boolean {
  return rows[0]?.moved === 1
}
