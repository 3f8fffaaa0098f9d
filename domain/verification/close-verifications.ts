import { statement } from '../database/statement.ts'
import { rowsOf, tables } from '../database/tables.ts'
import type { Scope } from '../scope.ts'
import { changeVerification } from './change-verification.ts'
import { type DueVerification, dueRow, dueValues, fetchDecision, processDue } from './due-verifications.ts'
import { recordProviderResult } from './record-provider-result.ts'

/** Seconds until the next attempt while the provider is unavailable; doubled by each attempt, up to the maximum. */
const retrySeconds = 30
const retrySecondsMax = 1800

/** With the delays above about a day. After that the verification is closed without asking the provider. */
const attemptsMax = 50

/**
 * Completes verifications whose lifetime is over. The provider is polled first, in case a callback was lost.
 * Returns how many were due.
 */
export async function closeVerifications(scope: Scope): Promise<number> {
  return await processDue(scope, claimDueClosings, (due, leaseUntil) => close(scope, due, leaseUntil))
}

async function close(scope: Scope, due: DueVerification, leaseUntil: Date): Promise<void> {
  const { tenantId, verificationId, attempts } = due
  const decision = await fetchDecision(scope, due)
  if (decision === 'unavailable' && attempts < attemptsMax) {
    const seconds = Math.min(retrySeconds * 2 ** attempts, retrySecondsMax)
    const closesAt = new Date(scope.clock().getTime() + seconds * 1000)
    const rescheduled = tables(scope.em)
      .updateTable('verification')
      .set(db => ({ closes_at: closesAt, close_attempts: db('close_attempts', '+', 1) }))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', verificationId)
      .where('closes_at', '=', leaseUntil)
      .where('completed_at', 'is', null)
    await rowsOf(rescheduled)
    return
  }
  if (decision && decision !== 'unavailable') await recordProviderResult(scope, decision)
  await changeVerification(scope, { tenantId, verificationId }, { by: 'service', outcome: 'lifetime_over' })
}

export const claimDueClosings = statement({
  name: 'claim-due-closings',
  text: `update verification v set closes_at = :leaseUntil from (
     select tenant_id, id from verification where completed_at is null and closes_at <= :now
     order by closes_at limit :limit for update skip locked
   ) due
   where v.tenant_id = due.tenant_id and v.id = due.id
   returning v.tenant_id as "tenantId", v.id as "verificationId", v.provider_session_id as "providerSessionId",
     v.close_attempts as attempts`,
  values: dueValues,
  row: dueRow,
})
