import { ProviderUnavailable } from '../ports.ts'
import type { Scope } from '../scope.ts'
import { changeVerification } from './change-verification.ts'
import { type DueVerification, dueWork, processDue } from './due-verifications.ts'
import { pollVerification } from './poll-verification.ts'

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
  return await processDue(scope, closings, due => close(scope, due))
}

export const closings = dueWork('closings', 'closes_at', 'close_attempts', 'asc')

async function close(scope: Scope, due: DueVerification): Promise<Date | undefined> {
  const { tenantId, verificationId, attempts } = due
  const outcome = await pollVerification(scope, due)
  if (outcome instanceof ProviderUnavailable && attempts < attemptsMax) {
    const seconds = Math.min(retrySeconds * 2 ** attempts, retrySecondsMax)
    return new Date(scope.clock().getTime() + seconds * 1000)
  }
  await changeVerification(scope, { tenantId, verificationId }, { by: 'service', outcome: 'lifetime_over' })
  return undefined
}
