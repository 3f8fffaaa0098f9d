import { ProviderUnavailable } from '../ports.ts'
import type { Scope } from '../scope.ts'
import { dueWork, processDue } from './due-verifications.ts'
import { isHeld, pollVerification } from './poll-verification.ts'
import { nextPollAt } from './polling.policy.ts'

/** Polls the provider for the decisions that are due, unless it has asked for a pause. Returns how many were due. */
export async function pollProvider(scope: Scope): Promise<number> {
  if (isHeld(scope)) return 0
  return await processDue(scope, polls, async verification => {
    const outcome = await pollVerification(scope, verification)
    const unavailable = outcome instanceof ProviderUnavailable ? outcome : undefined
    return nextPollAt(verification.attempts, scope.clock(), unavailable)
  })
}

// Those that became due last are first, so that no backlog delays the polls that a tenant's submit asked for.
export const polls = dueWork('polls', 'poll_at', 'poll_attempts', 'desc')
