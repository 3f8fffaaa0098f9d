import { ProviderUnavailable } from '../ports.ts'
import type { Scope } from '../scope.ts'
import { dueWork, processDue } from './due-verifications.ts'
import { pollVerification } from './poll-verification.ts'
import { nextPollAt } from './polling.policy.ts'

/**
 * Polls the provider for the decisions that are due. Returns how many were due; 0 when it limits the rate of requests, so
 * that the task waits before the next batch.
 */
export async function pollProvider(scope: Scope): Promise<number> {
  let isRateLimited = false
  const due = await processDue(scope, polls, async verification => {
    const outcome = await pollVerification(scope, verification)
    const unavailable = outcome instanceof ProviderUnavailable ? outcome : undefined
    if (unavailable?.retryAfterMs !== undefined) isRateLimited = true
    return nextPollAt(verification.attempts, scope.clock(), unavailable)
  })
  return isRateLimited ? 0 : due
}

// Those that became due last are first, so that no backlog delays the polls that a tenant's submit asked for.
export const polls = dueWork('polls', 'poll_at', 'poll_attempts', 'desc')
