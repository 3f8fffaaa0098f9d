/** What can be chosen for a test tenant's verification. */
export const testOutcomes = [
  'adult',
  'minor',
  'unknown_age',
  'denied',
  'resubmission',
  'in_review',
  'expired',
  'abandoned',
  'provider_down',
] as const
export type TestOutcome = (typeof testOutcomes)[number]

export interface TestChoice {
  outcome: TestOutcome
  /** Whether the provider's callback is lost, so that the outcome is found by polling. */
  lostCallback: boolean
  /** The provider's reason, in place of the outcome's own. */
  reasonCode?: string | undefined
}

/** With this user agent, the start of a test tenant's verification fails as it does while the provider is down. */
export const providerDownUserAgent = 'provider_down'
