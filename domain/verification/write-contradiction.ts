import { sharedWrite } from '../database/shared-statements.ts'
import { boolean, int, nullable, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
import type { Scope } from '../scope.ts'
import { tokenExpiryDay } from '../signing-key/age-token.ts'
import { takeNumbers } from './change-numbers.ts'
import { countRevoked } from './completion-counts.ts'
import type { LoadedVerification } from './load-verification.ts'
import { appendChange, attemptsOf, changeValues, toChangeValues } from './timeline.ts'
import type { Contradiction, VerificationTrigger } from './verification.policy.ts'

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

const columns = { ...changeValues, reportedDecidedAt: nullable(timestamp), revokesToken: boolean }

export const contradictVerifications = statement({
  name: 'contradict-verification',
  text: `with w as materialized (
     select * from ${valueRows(columns)}
     order by verification_id
   ), numbered as materialized (
     ${takeNumbers('select tenant_id, count(*) from w where revokes_token group by 1')}
   ), places as materialized (
     select position, last + 1 - row_number() over (partition by tenant_id) as change
     from w join numbered using (tenant_id) where revokes_token
   ), known as (
     select w.position from w join verification v on v.id = w.verification_id and v.tenant_id = w.tenant_id
     where v.id = any (:verificationId) and exists (
       select from unnest(v.timeline) c where not c.applied and c.status = w.status
         and c.attempt is not distinct from w.attempt and c.decided_at is not distinct from w.reported_decided_at
     )
   ), changed as (
     update verification v set ${appendChange(false)},
       token_revoked_at = case when w.revokes_token and v.token_id is not null then coalesce(v.token_revoked_at, w.now)
         else v.token_revoked_at end,
       change = case when w.revokes_token and v.token_id is not null and v.token_revoked_at is null
         then (select p.change from places p where p.position = w.position) else v.change end
     from w
     where v.id = any (:verificationId)
       and v.id = w.verification_id and v.tenant_id = w.tenant_id and v.revision = w.revision
       and w.position not in (select position from known)
       -- Numbers are taken before any row is locked.
       and (select count(*) from numbered) >= 0
     returning w.*, v.token_signer, v.token_status_index, v.completed_at, v.change
   ), listed as (
     insert into revoked_token (signer, status_index, expires_on)
     select v.token_signer, v.token_status_index, ${tokenExpiryDay}
     from changed v join token_signer s on s.id = v.token_signer where v.revokes_token
     on conflict do nothing
   ), counted as (
     ${countRevoked(`(select c.*, 'provider' as revoked_by from changed c join places using (position, change))`)}
   )
   select position::int from known union all select position::int from changed`,
  values: arrayTypes(columns),
  row: { position: int },
})

const contradictVerification = sharedWrite(columns, contradictVerifications)
