import {
  arrayOf,
  boolean,
  double,
  int,
  nullable,
  type Typed,
  text,
  textOf,
  timestamp,
  uuid,
} from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import type { SignedToken } from '../token/sign-age-token.ts'
import type { LoadedVerification } from './load-verification.ts'
import type { VerificationState, VerificationStatus, VerificationTrigger } from './verification.policy.ts'
import type { ChangeSource } from './verification-change.entity.ts'

export interface Transition {
  verification: LoadedVerification
  trigger: VerificationTrigger
  state: VerificationState
  token: SignedToken | undefined
}

/**
 * Writes a transition over the revision that it was decided on, with everything that follows from it: the timeline,
 * and for a completion the usage, the token and the delivery of the webhook event. Returns false if another change
 * was written first.
 */
export async function writeTransition(scope: Scope, transition: Transition): Promise<boolean> {
  const { verification, trigger, state, token } = transition
  const { status, attemptId, pastAttemptIds, decidedAt, confidence, over18 } = state
  const values = {
    ...changeValuesOf(scope, verification, trigger),
    status,
    attemptId,
    pastAttemptIds,
    decidedAt,
  }
  if (!state.completedAt) return (await moveVerification(scope.pool, values)).length === 1
  const completed = await completeVerification(scope.pool, {
    ...values,
    confidence,
    over18,
    jti: token?.jti ?? null,
    kid: token?.kid ?? null,
    jwt: token?.jwt ?? null,
    tokenOver18: token?.over18 ?? null,
    issuedAt: token?.issuedAt ?? null,
    expiresAt: token?.expiresAt ?? null,
  })
  return completed.length === 1
}

/**
 * Records a late result that contradicts the completed status; once, however often it is received. Returns false if
 * another change was written first.
 */
export async function writeContradiction(
  scope: Scope,
  verification: LoadedVerification,
  trigger: VerificationTrigger,
  contradiction: { status: VerificationStatus; revokesToken: boolean },
): Promise<boolean> {
  const { status, revokesToken } = contradiction
  const values = { ...changeValuesOf(scope, verification, trigger), status, revokesToken }
  const [written] = await contradictVerification(scope.pool, values)
  return written?.recorded === true
}

/** What every change writes: over which revision, and the timeline entry with what was reported. */
const changeValues = {
  tenantId: uuid,
  verificationId: uuid,
  /** The revision that the change was decided on. */
  revision: int,
  now: timestamp,
  source: textOf<ChangeSource>(),
  reportedAttemptId: nullable(text),
  code: nullable(int),
  reasonCode: nullable(text),
  score: nullable(double),
  reportedDecidedAt: nullable(timestamp),
  /** The status after the change. */
  status: textOf<VerificationStatus>(),
}

function changeValuesOf(
  scope: Scope,
  { tenantId, verificationId, revision }: LoadedVerification,
  trigger: VerificationTrigger,
): Omit<Typed<typeof changeValues>, 'status'> {
  const result = trigger.by === 'provider' ? trigger.result : undefined
  return {
    tenantId,
    verificationId,
    revision,
    now: scope.now,
    source: trigger.by,
    reportedAttemptId: result?.attemptId ?? null,
    code: result?.code ?? null,
    reasonCode: result?.reasonCode ?? null,
    score: result?.score ?? null,
    reportedDecidedAt: result?.decidedAt ?? null,
  }
}

/** Inserts the timeline entry for the row of the CTE `changed`. */
function insertChange(applied: boolean): string {
  return `insert into verification_change (tenant_id, verification_id, revision, at, status, applied, source, attempt_id,
       code, reason_code, score, decided_at)
     select tenant_id, id, revision, :now, :status, ${applied}, :source, :reportedAttemptId,
       :code, :reasonCode, :score, :reportedDecidedAt from changed`
}

const stateValues = {
  ...changeValues,
  attemptId: nullable(text),
  pastAttemptIds: arrayOf(text),
  decidedAt: nullable(timestamp),
}

export const moveVerification = statement({
  name: 'move-verification',
  text: `with changed as (
     update verification set revision = revision + 1, status = :status, attempt_id = :attemptId,
       past_attempt_ids = :pastAttemptIds, decided_at = :decidedAt
     where tenant_id = :tenantId and id = :verificationId and revision = :revision
     returning tenant_id, id, revision
   ), recorded as (
     ${insertChange(true)}
   )
   select revision from changed`,
  values: stateValues,
  row: { revision: int },
})

export const completeVerification = statement({
  name: 'complete-verification',
  text: `with changed as (
     update verification set revision = revision + 1, status = :status, attempt_id = :attemptId,
       past_attempt_ids = :pastAttemptIds, decided_at = :decidedAt, completed_at = :now, confidence = :confidence,
       over18 = :over18, poll_at = null
     where tenant_id = :tenantId and id = :verificationId and revision = :revision
     returning tenant_id, id, revision
   ), recorded as (
     ${insertChange(true)}
   ), counted as (
     insert into usage_day as d (tenant_id, day, approved, denied, rejected, submitted, resubmission)
     select tenant_id, (:now at time zone 'UTC')::date, (:status = 'approved')::int, (:status = 'denied')::int,
       (:status = 'rejected')::int, (:status = 'submitted')::int, (:status = 'resubmission')::int from changed
     on conflict (tenant_id, day) do update set approved = d.approved + excluded.approved,
       denied = d.denied + excluded.denied, rejected = d.rejected + excluded.rejected,
       submitted = d.submitted + excluded.submitted, resubmission = d.resubmission + excluded.resubmission
   ), issued as (
     insert into token (tenant_id, verification_id, jti, kid, jwt, over18, issued_at, expires_at)
     select tenant_id, id, :jti, :kid, :jwt, :tokenOver18, :issuedAt, :expiresAt from changed
     where :jti is not null
   ), queued as (
     insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence)
     select :now, c.tenant_id, c.id, :now, :status, coalesce(:confidence, 0)
     from changed c join tenant t on t.id = c.tenant_id where t.webhook_url is not null
   )
   select revision from changed`,
  values: {
    ...stateValues,
    confidence: nullable(double),
    over18: nullable(boolean),
    jti: nullable(uuid),
    kid: nullable(text),
    jwt: nullable(text),
    tokenOver18: nullable(boolean),
    issuedAt: nullable(timestamp),
    expiresAt: nullable(timestamp),
  },
  row: { revision: int },
})

export const contradictVerification = statement({
  name: 'contradict-verification',
  text: `with known as (
     select from verification_change
     where tenant_id = :tenantId and verification_id = :verificationId and not applied and status = :status
       and attempt_id is not distinct from :reportedAttemptId and decided_at is not distinct from :reportedDecidedAt
   ), changed as (
     update verification set revision = revision + 1
     where tenant_id = :tenantId and id = :verificationId and revision = :revision
       and not exists (select from known)
     returning tenant_id, id, revision
   ), recorded as (
     ${insertChange(false)}
   ), revoked as (
     update token set revoked_at = :now
     where tenant_id = :tenantId and verification_id = :verificationId and revoked_at is null and :revokesToken
   )
   select exists (select from known) or exists (select from changed) as recorded`,
  values: { ...changeValues, revokesToken: boolean },
  row: { recorded: boolean },
})
