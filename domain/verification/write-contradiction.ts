import { boolean, nullable, timestamp } from '../database/sql-types.ts'
import type { Scope } from '../scope.ts'
import { tokenExpiryDay } from '../signing-key/age-token.ts'
import type { LoadedVerification } from './load-verification.ts'
import { appendChange, attemptsOf, changeValues, toChangeValues } from './timeline.ts'
import type { Contradiction, VerificationTrigger } from './verification.policy.ts'
import { verificationWrite } from './verification-write.ts'
import { updateEach } from './write-transition.ts'

/**
 * Records a late result that contradicts the completed status; once, however often it is received. Returns false if
 * another change was written first.
 */
export async function writeContradiction(
  scope: Scope,
  verification: LoadedVerification,
  trigger: VerificationTrigger,
  contradiction: Contradiction,
): Promise<boolean> {
  const attemptId = trigger.by === 'provider' ? trigger.result.attemptId : null
  const known = attemptsOf(verification)
  const isNew = attemptId !== null && !known.includes(attemptId)
  // The attempts that are known are those that have ended: the verification is completed.
  const attempts = isNew ? [...known, attemptId] : known
  const written = await contradictVerification(scope.pool, {
    ...toChangeValues(scope, verification, trigger, attempts),
    ...contradiction,
    pastAttemptIds: isNew ? attempts : verification.pastAttemptIds,
  })
  return written !== undefined
}

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
