import type { AgeBasis } from './verification/age.policy.ts'

/** The identity providers: the values of every `provider` field. */
export const providerNames = ['veriff'] as const
export type ProviderName = (typeof providerNames)[number]

/** What the provider reports about a session, in this product's terms. No personal data: the age is evaluated. */
export interface ProviderResult {
  providerSessionId: string
  /** The verification's id, as the provider echoes it; null if it sent none. */
  vendorData: string | null
  /** Whether the person was 18 or over on the day of the decision; null if unknown. */
  over18: boolean | null
  /** The attempt within the session; null if the provider sent none. */
  attemptId: string | null
  outcome: ProviderOutcome
  /** Event or decision code, such as 7001 or 9102; null if the provider sent none. */
  code: number | null
  /** Why it was declined or has to be repeated, such as "106"; null if the provider sent none. */
  reasonCode: string | null
  /** The provider's score, from 0 to 1; null if it sent none, 0 if it sent one that isn't understood. */
  score: number | null
  /** By the provider's clock, however wrong: only its times are compared with each other. Null for events, which have none. */
  decidedAt: Date | null
  /** Whether that time is before the verification or in the future, so that the age was judged on the day of the arrival. */
  hasWrongTime?: boolean
  /** What `over18` rests on. */
  ageBasis: AgeBasis
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
