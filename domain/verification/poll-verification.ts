import { ProviderUnavailable } from '../ports.ts'
import type { Scope } from '../scope.ts'
import { providerOf } from '../tenant/test-tenant.policy.ts'
import { type RecordedResult, recordProviderResult } from './record-provider-result.ts'

export interface PolledVerification {
  verificationId: string
  test: boolean
  providerSessionId: string
}

/** What came of a poll; `undecided`: the provider has no decision, doesn't know the session, or isn't configured. */
export type PollOutcome = RecordedResult | 'undecided' | ProviderUnavailable

/** Until when a provider has asked this process for no polls. */
const heldUntil = new WeakMap<object, Date>()

/** Whether the provider has asked for a pause that isn't over. */
export function isHeld({ provider, clock }: Scope): boolean {
  const until = provider && heldUntil.get(provider)
  return until !== undefined && until > clock()
}

/**
 * Asks the provider for its decision and records it, as the callback with it would. An unavailable provider is an outcome.
 * Throws `DATABASE_ERROR`.
 */
export async function pollVerification(
  scope: Scope,
  { verificationId, test, providerSessionId }: PolledVerification,
): Promise<PollOutcome> {
  const provider = providerOf(scope, { test })
  try {
    const decision = await provider?.fetchDecision(providerSessionId, verificationId)
    return decision ? await recordProviderResult(scope, decision, { test }) : 'undecided'
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    const { retryAfterMs } = error
    if (retryAfterMs !== undefined) heldUntil.set(provider!, new Date(scope.clock().getTime() + retryAfterMs))
    scope.log.warn({ verificationId, reason: error.message }, 'Polling the provider for a decision failed')
    return error
  }
}
