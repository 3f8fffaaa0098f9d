import type { ProviderOutcome, ProviderResult } from '#domain/provider-result.ts'
import type { VerificationState, VerificationTrigger } from '#domain/verification/verification.policy.ts'
import { providerResult } from './scripted-provider.ts'

export const lifetimeOver: VerificationTrigger = { by: 'service', outcome: 'lifetime_over' }

export function byProvider(
  outcome: ProviderOutcome,
  more: Partial<Omit<ProviderResult, 'outcome'>> = {},
): VerificationTrigger {
  return { by: 'provider', result: providerResult(outcome, more) }
}

/** Every trigger, of the first attempt or of none. */
export const triggers: readonly VerificationTrigger[] = [
  byProvider('started', { attemptId: 'first' }),
  byProvider('submitted', { attemptId: 'first' }),
  byProvider('review', { attemptId: 'first' }),
  byProvider('resubmission_requested', { attemptId: 'first' }),
  byProvider('approved', { attemptId: 'first' }),
  byProvider('declined', { attemptId: 'first' }),
  byProvider('expired'),
  byProvider('abandoned'),
  lifetimeOver,
]

/** The state after a start. */
export const fresh: VerificationState = {
  status: 'pending',
  attemptId: null,
  pastAttemptIds: [],
  decidedAt: null,
  completedAt: null,
  confidence: null,
  over18: null,
}
