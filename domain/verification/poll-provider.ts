import { nullable, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import { claimDue, type DueVerification, fetchDecision, processDue } from './due-verifications.ts'
import { recordProviderResult } from './record-provider-result.ts'

/** Seconds until the next poll, after the first, second, … one without a decision. */
const backoffSeconds = [5, 10, 20, 60, 300, 900, 3600]

/** Polls the provider for the decisions that are due. Returns how many were due. */
export async function pollProvider(scope: Scope): Promise<number> {
  return await processDue(scope, claimDuePolls, (due, leaseUntil) => poll(scope, due, leaseUntil))
}

/** An unavailable provider is polled again later, like one that has no decision yet. */
async function poll(scope: Scope, due: DueVerification, leaseUntil: Date): Promise<void> {
  const { tenantId, verificationId, attempts } = due
  const fetched = await fetchDecision(scope, due)
  const decision = fetched === 'unavailable' ? undefined : fetched
  const recorded = decision && (await recordProviderResult(scope, decision))
  const isDecided = recorded === 'moved' && decision?.outcome !== 'review'
  const seconds = isDecided ? undefined : backoffSeconds[attempts]
  const pollAt = seconds === undefined ? null : new Date(scope.clock().getTime() + seconds * 1000)
  // Only under the worker's own lease: a submit in the meantime has scheduled a new poll.
  await reschedulePoll(scope.pool, { tenantId, verificationId, leaseUntil, pollAt })
}

export const claimDuePolls = claimDue('claim-due-polls', 'poll_at', 'poll_attempts')

export const reschedulePoll = statement({
  name: 'reschedule-poll',
  text: `update open_verification
   set poll_at = :pollAt, poll_attempts = case when :pollAt is null then 0 else poll_attempts + 1 end
   where tenant_id = :tenantId and verification_id = :verificationId and poll_at = :leaseUntil`,
  values: { tenantId: uuid, verificationId: uuid, leaseUntil: timestamp, pollAt: nullable(timestamp) },
  row: {},
})
