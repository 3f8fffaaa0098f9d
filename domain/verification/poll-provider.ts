import type { Scope } from '../scope.ts'
import { type DueVerification, dueWork, fetchDecision, processDue } from './due-verifications.ts'
import { recordProviderResult } from './record-provider-result.ts'

/** Seconds until the next poll, after the first, second, … one without a decision. */
const backoffSeconds = [5, 10, 20, 60, 300, 900, 3600]

/** Polls the provider for the decisions that are due. Returns how many were due. */
export async function pollProvider(scope: Scope): Promise<number> {
  return await processDue(scope, polls, due => poll(scope, due))
}

export const polls = dueWork('polls', 'poll_at', 'poll_attempts')

/** An unavailable provider is polled again later, like one that has no decision yet. */
async function poll(scope: Scope, due: DueVerification): Promise<Date | null> {
  const fetched = await fetchDecision(scope, due)
  const decision = fetched === 'unavailable' ? undefined : fetched
  const recorded = decision && (await recordProviderResult(scope, decision))
  const isDecided = recorded === 'applied' && decision?.outcome !== 'review'
  const seconds = isDecided ? undefined : backoffSeconds[due.attempts]
  return seconds === undefined ? null : new Date(scope.clock().getTime() + seconds * 1000)
}
