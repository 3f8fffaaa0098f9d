/** What the provider says of a session, in the product's words. No personal data: the age is already judged. */
export interface ProviderResult {
  providerSessionId: string
  /** The verification's id, as the provider echoes it; null where it sent none. */
  vendorData: string | null
  /** The try within the session; null where the provider sent none. */
  attemptId: string | null
  outcome: ProviderOutcome
  /** Event or decision code, such as 7001 or 9102; null where the provider sent none. */
  code: number | null
  /** Why it was declined or has to be repeated, such as "106"; null where the provider sent none. */
  reasonCode: string | null
  /** The provider's own score, as sent; null where it sent none. */
  score: number | null
  /** Null for events, which carry no time. */
  decidedAt: Date | null
  /** Whether the person was 18 or over on the day of the decision; null where that is unknown. */
  over18: boolean | null
}

export const providerOutcomes = [
  'started',
  'submitted',
  'review',
  'approved',
  'declined',
  'resubmission_requested',
  'expired',
  'abandoned',
] as const

export type ProviderOutcome = (typeof providerOutcomes)[number]
