import { timeOfId } from '../ids.ts'
import { ProviderUnavailable } from '../ports.ts'
import type { Rules, Scope } from '../scope.ts'
import { changeVerification } from './change-verification.ts'
import { type DueVerification, dueWork, processDue } from './due-verifications.ts'
import { isHeld, pollVerification } from './poll-verification.ts'

/** Seconds until the next attempt while the provider is unavailable; doubled by each attempt, up to the maximum. */
const retrySeconds = 30
const retrySecondsMax = 1800

/**
 * Completes verifications whose lifetime is over. The provider is polled first, in case a callback was lost. While it doesn't
 * answer in a form that is understood, they stay open until twice their lifetime has passed. Returns how many were due; none
 * while the provider has asked for a pause.
 */
export async function closeVerifications(scope: Scope): Promise<number> {
  if (isHeld(scope)) return 0
  return await processDue(scope, closings, due => close(scope, due))
}

export const closings = dueWork('closings', 'closes_at', 'close_attempts', 'asc')

async function close(scope: Scope, due: DueVerification): Promise<Date | undefined> {
  const { tenantId, verificationId, attempts } = due
  const outcome = await pollVerification(scope, due)
  const now = scope.clock().getTime()
  const ageMs = now - timeOfId(verificationId).getTime()
  if (outcome instanceof ProviderUnavailable && ageMs < ageMsMax(scope.rules)) {
    const retryMs = 1000 * Math.min(retrySeconds * 2 ** attempts, retrySecondsMax)
    return new Date(now + Math.max(retryMs, outcome.retryAfterMs ?? 0))
  }
  await changeVerification(scope, { tenantId, verificationId }, { by: 'service', outcome: 'lifetime_over' })
  return undefined
}

/** Twice the lifetime, unless a token that is issued then would outlive the verification. */
function ageMsMax({ sessionLifetimeMs, tokenLifetimeMs, verificationRetentionMs }: Rules): number {
  return Math.min(2 * sessionLifetimeMs, verificationRetentionMs - tokenLifetimeMs)
}
