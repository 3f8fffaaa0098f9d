import {
  arrayOf,
  boolean,
  bytes,
  double,
  enumOf,
  int,
  nullable,
  numeric,
  smallint,
  type Typed,
  text,
  timestamp,
  uuid,
} from '../database/sql-types.ts'
import type { ProviderResult } from '../provider-result.ts'
import type { Scope } from '../scope.ts'
import { tokenExpiryDay } from '../signing-key/age-token.ts'
import type { SignedToken } from '../signing-key/sign-age-token.ts'
import type { VerificationStatus } from '../verification-status.ts'
import { addCounts, completionCounts, toDurations, userHadSubmitted, wasOpened } from './completion-counts.ts'
import type { LoadedVerification } from './load-verification.ts'
import { attemptsOf, type ChangeSource } from './timeline.ts'
import type { VerificationState, VerificationTrigger } from './verification.policy.ts'
import { verificationWrite } from './verification-write.ts'

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
    ...changeValuesOf(scope, verification, trigger, attemptsOf(state)),
    status,
    attemptId,
    pastAttemptIds: nullIfEmpty(pastAttemptIds),
    decidedAt,
  }
  if (!state.completedAt) return (await moveVerification(scope.pool, values)) !== undefined
  const completed = await completeVerification(scope.pool, {
    ...values,
    confidence,
    over18,
    wasOpened: wasOpened(verification.status, status),
    durations: toDurations(verification.verificationId, state),
    jti: token?.jti ?? null,
    signer: token?.signer ?? null,
    statusIndex: token?.statusIndex ?? null,
    signature: token?.signature ?? null,
    traceparent: scope.traceparent(),
  })
  return completed !== undefined
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
  const { attemptId, decidedAt } = reportOf(trigger)
  const known = attemptsOf(verification)
  // The attempts that are known are those that have ended: the verification is completed.
  const attempts = attemptId === null || known.includes(attemptId) ? known : [...known, attemptId]
  const written = await contradictVerification(scope.pool, {
    ...changeValuesOf(scope, verification, trigger, attempts),
    status,
    pastAttemptIds: attempts.length > known.length ? attempts : nullIfEmpty(verification.pastAttemptIds),
    reportedDecidedAt: decidedAt,
    revokesToken,
  })
  return written !== undefined
}

/** What every change writes: over which revision, and the timeline entry with what was reported. */
const changeValues = {
  tenantId: uuid,
  verificationId: uuid,
  /** The revision that the change was decided on. */
  revision: int,
  now: timestamp,
  source: enumOf<ChangeSource>('verification_change_source'),
  /** The number of the reported attempt. */
  attempt: nullable(smallint),
  code: nullable(int),
  reasonCode: nullable(text),
  /** The status after the change. */
  status: enumOf<VerificationStatus>('verification_status'),
  pastAttemptIds: nullable(arrayOf(text)),
}

function changeValuesOf(
  scope: Scope,
  { tenantId, verificationId, revision }: LoadedVerification,
  trigger: VerificationTrigger,
  attempts: readonly string[],
): Omit<Typed<typeof changeValues>, 'status' | 'pastAttemptIds'> {
  const { attemptId, code, reasonCode } = reportOf(trigger)
  return {
    tenantId,
    verificationId,
    revision,
    now: scope.now,
    source: trigger.by,
    attempt: attemptId === null ? null : attempts.indexOf(attemptId) + 1,
    code,
    reasonCode,
  }
}

function nullIfEmpty(ids: string[]): string[] | null {
  return ids.length > 0 ? ids : null
}

type Report = Pick<ProviderResult, 'attemptId' | 'code' | 'reasonCode' | 'decidedAt'>

/** What the provider reported, if it was the provider. */
function reportOf(trigger: VerificationTrigger): Report {
  return trigger.by === 'provider'
    ? trigger.result
    : { attemptId: null, code: null, reasonCode: null, decidedAt: null }
}

/**
 * The assignments that append an entry to the timeline, with the fields of `verification_change` in their order. `v` is the
 * verification, `w` has the values.
 */
function appendChange(applied: boolean): string {
  const decidedAt = applied ? 'null' : 'w.reported_decided_at'
  return `revision = v.revision + 1, past_attempt_ids = w.past_attempt_ids::text[], timeline = v.timeline ||
       row(w.now, w.status, w.source, w.code, w.attempt, ${applied}, w.reason_code, ${decidedAt})::verification_change`
}

const stateValues = {
  ...changeValues,
  attemptId: nullable(text),
  decidedAt: nullable(timestamp),
}

const move = `status = w.status, attempt_id = w.attempt_id, decided_at = w.decided_at, ${appendChange(true)}`

/** Those verifications whose revision still is the one that the change was decided on, with what is written. */
function updateEach(assignments: string, { condition = '', returned = '' } = {}): string {
  return `update verification v set ${assignments} from writes w
     where v.id in (:verificationIds) and v.id = w.verification_id and v.tenant_id = w.tenant_id
       and v.revision = w.revision ${condition}
     returning w.*${returned}`
}

export const moveVerification = verificationWrite({
  name: 'move-verification',
  text: `changed as (
     ${updateEach(move)}
   ), open as (
     update open_verification o set status = c.status from changed c
     where o.verification_id in (:verificationIds) and o.verification_id = c.verification_id
       and o.tenant_id = c.tenant_id and o.status <> c.status
   )
   select position from changed`,
  values: stateValues,
  row: {},
})

const complete = `${move}, completed_at = w.now, confidence = w.confidence, over18 = w.over18, token_id = w.jti,
       token_signer = w.signer, token_status_index = w.status_index, token_signature = w.signature`

export const completeVerification = verificationWrite({
  name: 'complete-verification',
  text: `changed as (
     ${updateEach(complete, { returned: `, v.provider, ${userHadSubmitted('w.status')} as user_submitted` })}
   ), closed as (
     delete from open_verification o using changed c
     where o.verification_id in (:verificationIds) and o.verification_id = c.verification_id
       and o.tenant_id = c.tenant_id
   ), listed as (
     insert into verification_outcome (tenant_id, status, verification_id)
     select tenant_id, status, verification_id from changed where status <> 'approved'
   ), counted as (
     insert into usage_day as d (tenant_id, day, ${completionCounts.join()})
     select tenant_id, (now at time zone 'UTC')::date, count(*) filter (where status = 'approved'),
       count(*) filter (where status = 'denied'), count(*) filter (where status = 'rejected'),
       count(*) filter (where status = 'submitted'), count(*) filter (where status = 'resubmission'),
       count(*) filter (where was_opened), count(*) filter (where user_submitted), count(*) filter (where over18),
       count(*) filter (where not over18), sum(durations)
     from changed group by 1, 2 order by 1, 2
     ${addCounts}
   ), queued as (
     insert into delivery (created_at, tenant_id, verification_id, due_at, type, provider, status, confidence, traceparent)
     select c.now, c.tenant_id, c.verification_id, c.now, 'verification.completed', c.provider, c.status,
       coalesce(c.confidence, 0), c.traceparent
     from changed c cross join lateral (
       select from tenant t where t.id = c.tenant_id and t.webhook_url is not null offset 0
     ) t
   )
   select position from changed`,
  values: {
    ...stateValues,
    confidence: nullable(double),
    over18: nullable(boolean),
    wasOpened: boolean,
    durations: numeric,
    jti: nullable(uuid),
    signer: nullable(smallint),
    statusIndex: nullable(int),
    signature: nullable(bytes),
    traceparent: nullable(text),
  },
  row: {},
})

const contradict = `${appendChange(false)}, token_revoked_at =
       case when w.revokes_token and v.token_id is not null then coalesce(v.token_revoked_at, w.now) else v.token_revoked_at end`

export const contradictVerification = verificationWrite({
  name: 'contradict-verification',
  text: `known as (
     select w.position from writes w cross join lateral (
       select from verification v cross join unnest(v.timeline) c
       where v.id in (:verificationIds) and v.id = w.verification_id and v.tenant_id = w.tenant_id
         and not c.applied and c.status = w.status and c.attempt is not distinct from w.attempt
         and c.decided_at is not distinct from w.reported_decided_at limit 1
     ) c
   ), changed as (
     ${updateEach(contradict, {
       returned: ', v.token_signer, v.token_status_index, v.completed_at',
       condition: 'and w.position not in (select position from known)',
     })}
   ), listed as (
     insert into revoked_token (signer, status_index, expires_on)
     select v.token_signer, v.token_status_index, ${tokenExpiryDay}
     from changed v join token_signer s on s.id = v.token_signer where v.revokes_token
     on conflict do nothing
   )
   select position from known union all select position from changed`,
  values: { ...changeValues, reportedDecidedAt: nullable(timestamp), revokesToken: boolean },
  row: {},
})
