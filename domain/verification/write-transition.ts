import {
  boolean,
  bytes,
  double,
  int,
  nullable,
  numeric,
  smallint,
  text,
  timestamp,
  uuid,
} from '../database/sql-types.ts'
import { attributeColumns, attributeNames } from '../provider-result.ts'
import type { Scope } from '../scope.ts'
import type { SignedToken } from '../signing-key/sign-age-token.ts'
import { addCounts, completionCounts, toDurations, userHadSubmitted, wasOpened } from './completion-counts.ts'
import type { LoadedVerification } from './load-verification.ts'
import { appendChange, attemptsOf, changeValues, toChangeValues } from './timeline.ts'
import type { VerificationState, VerificationTrigger } from './verification.policy.ts'
import { toSnakeCase, verificationWrite } from './verification-write.ts'

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
    durations: toDurations(verification.verificationId, state),
    traceparent: scope.traceparent(),
  })
  return completed !== undefined
}

const noToken = { jti: null, signer: null, statusIndex: null, signature: null }

const stateValues = {
  ...changeValues,
  attemptId: nullable(text),
  decidedAt: nullable(timestamp),
}

const move = `status = w.status, attempt_id = w.attempt_id, decided_at = w.decided_at, ${appendChange(true)}`

/** Those verifications whose revision still is the one that the change was decided on, with what is written. */
export function updateEach(assignments: string, { condition = '', returned = '' } = {}): string {
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

const attributes = attributeNames.map(toSnakeCase)
const complete = `${move}, completed_at = w.now, confidence = w.confidence, token_id = w.jti, token_signer = w.signer,
       token_status_index = w.status_index, token_signature = w.signature,
       ${attributes.map(name => `${name} = w.${name}`).join()},
       has_webhook = (select t.webhook_url is not null from tenant t where t.id = w.tenant_id)`

export const completeVerification = verificationWrite({
  name: 'complete-verification',
  text: `changed as (
     ${updateEach(complete, { returned: `, v.provider, v.has_webhook, ${userHadSubmitted('w.status')} as user_submitted` })}
   ), closed as (
     delete from open_verification o using changed c
     where o.verification_id in (:verificationIds) and o.verification_id = c.verification_id
       and o.tenant_id = c.tenant_id
   ), listed as (
     insert into verification_outcome (tenant_id, status, verification_id)
     select tenant_id, status, verification_id from changed where status <> 'approved'
   ), counted as (
     insert into usage_day as d (tenant_id, day, ${Object.keys(completionCounts).join()})
     select tenant_id, (now at time zone 'UTC')::date, ${Object.values(completionCounts).join()}
     from changed group by 1, 2 order by 1, 2
     ${addCounts}
   ), queued as (
     insert into delivery (created_at, tenant_id, verification_id, due_at, type, provider, status, confidence, traceparent)
     select c.now, c.tenant_id, c.verification_id, c.now, 'verification.completed', c.provider, c.status,
       coalesce(c.confidence, 0), c.traceparent
     from changed c where c.has_webhook
   )
   select position from changed`,
  values: {
    ...stateValues,
    confidence: nullable(double),
    ...attributeColumns,
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
