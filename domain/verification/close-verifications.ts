import { timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import { changeVerification } from './change-verification.ts'
import { claimDue, type DueVerification, fetchDecision, processDue } from './due-verifications.ts'
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
    await rescheduleClosing(scope.pool, { tenantId, verificationId, leaseUntil, closesAt })
    return
  }
  if (decision && decision !== 'unavailable') await recordProviderResult(scope, decision)
  await changeVerification(scope, { tenantId, verificationId }, { by: 'service', outcome: 'lifetime_over' })
}

export const claimDueClosings = claimDue('claim-due-closings', 'closes_at', 'close_attempts')

export const rescheduleClosing = statement({
  name: 'reschedule-closing',
  text: `update open_verification set closes_at = :closesAt, close_attempts = close_attempts + 1
   where tenant_id = :tenantId and verification_id = :verificationId and closes_at = :leaseUntil`,
  values: { tenantId: uuid, verificationId: uuid, leaseUntil: timestamp, closesAt: timestamp },
  row: {},
})
