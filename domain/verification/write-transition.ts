import { sharedWrite } from '../database/shared-statements.ts'
import {
  boolean,
  bytes,
  double,
  int,
  nullable,
  smallint,
  text,
  timestamp,
  uuid,
} from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
import type { Scope } from '../scope.ts'
import type { SignedToken } from '../signing-key/sign-age-token.ts'
import { takeNumbers } from './change-numbers.ts'
import { addCounts, completionCounts, userHadSubmitted, wasOpened } from './completion-counts.ts'
import type { LoadedVerification } from './load-verification.ts'
import { appendChange, attemptsOf, changeValues, toChangeValues } from './timeline.ts'
import type { VerificationState, VerificationTrigger } from './verification.policy.ts'

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
  const values = { ...state, ...toChangeValues(scope, verification, trigger, attemptsOf(state)) }
  if (!state.completedAt) return (await moveVerification(scope.pool, values)) !== undefined
  const completed = await completeVerification(scope.pool, {
    ...values,
    ...(token ?? noToken),
    wasOpened: wasOpened(verification.status, state.status),
    ageBasis: trigger.by === 'provider' ? trigger.result.ageBasis : null,
  })
  return completed !== undefined
}

const noToken = { jti: null, signer: null, statusIndex: null, signature: null }

const columns = { ...changeValues, attemptId: nullable(text), decidedAt: nullable(timestamp) }

// Rows are written in the order of their ids, so that groups of several processes don't deadlock.
export const moveVerifications = statement({
  name: 'move-verification',
  text: `with w as materialized (
     select * from ${valueRows(columns)}
     order by verification_id
   ), changed as (
     update verification v set status = w.status, attempt_id = w.attempt_id, decided_at = w.decided_at,
       ${appendChange(true)}
     from w
     where v.id = any (:verificationId)
       and v.id = w.verification_id and v.tenant_id = w.tenant_id and v.revision = w.revision
     returning w.*
   ), open as (
     update open_verification o set status = c.status from changed c
     where o.verification_id = any (:verificationId) and o.verification_id = c.verification_id and o.status <> c.status
   )
   select position::int from changed`,
  values: arrayTypes(columns),
  row: { position: int },
})

const moveVerification = sharedWrite(columns, moveVerifications)

const completionColumns = {
  ...columns,
  confidence: nullable(double),
  wasOpened: boolean,
  jti: nullable(uuid),
  signer: nullable(smallint),
  statusIndex: nullable(int),
  signature: nullable(bytes),
  over18: nullable(boolean),
  ageBasis: nullable(text),
}

// A test tenant without a URL can still ask for its events, which need a secret to be signed with.
export const completeVerifications = statement({
  name: 'complete-verification',
  text: `with w as materialized (
     select * from ${valueRows(completionColumns)}
     order by verification_id
   ), numbered as materialized (
     ${takeNumbers('select tenant_id, count(*) from w group by 1')}
   ), places as materialized (
     select position, last + 1 - row_number() over (partition by tenant_id) as change from w join numbered using (tenant_id)
   ), changed as (
     update verification v set status = w.status, attempt_id = w.attempt_id, decided_at = w.decided_at,
       ${appendChange(true)},
       completed_at = w.now, confidence = w.confidence, token_id = w.jti, token_signer = w.signer,
       token_status_index = w.status_index, token_signature = w.signature,
       over18 = w.over18,
       change = (select p.change from places p where p.position = w.position),
       has_webhook = (select t.webhook_url is not null from tenant t where t.id = w.tenant_id)
     from w
     where v.id = any (:verificationId)
       and v.id = w.verification_id and v.tenant_id = w.tenant_id and v.revision = w.revision
     returning w.*, v.provider, v.test, v.has_webhook, ${userHadSubmitted('w.status')} as user_submitted
   ), closed as (
     delete from open_verification o using changed c
     where o.verification_id = any (:verificationId) and o.verification_id = c.verification_id
   ), listed as (
     insert into verification_outcome (tenant_id, status, verification_id)
     select tenant_id, status, verification_id from changed where status <> 'approved'
   ), counted as (
     insert into usage_day as d (tenant_id, day, ${Object.keys(completionCounts).join()})
     select tenant_id, (now at time zone 'UTC')::date, ${Object.values(completionCounts).join()}
     from changed group by 1, 2 order by 1, 2
     ${addCounts(completionCounts)}
   ), queued as (
     insert into delivery (created_at, tenant_id, verification_id, due_at, type, provider, status, confidence)
     select c.now, c.tenant_id, c.verification_id, c.now, 'verification.completed', c.provider, c.status,
       coalesce(c.confidence, 0)
     from changed c
     where c.has_webhook or c.test and (
       select true from tenant t join webhook_secret s on s.tenant_id = t.id where t.id = c.tenant_id and t.test limit 1
     )
   )
   select position::int from changed`,
  values: arrayTypes(completionColumns),
  row: { position: int },
})

const completeVerification = sharedWrite(completionColumns, completeVerifications)
