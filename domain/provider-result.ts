import { boolean, nullable, type Typed } from './database/sql-types.ts'

/** The identity providers: the values of every `provider` field. */
export const providerNames = ['veriff'] as const
export type ProviderName = (typeof providerNames)[number]

/**
 * What a provider verifies about a person beside its decision, as columns of `verification`: stored with an approval, and
 * reported with its status. No personal data.
 */
export const attributeColumns = {
  /** Whether the person was 18 or over on the day of the decision; null if unknown. */
  over18: nullable(boolean),
}
export type Attributes = Typed<typeof attributeColumns>
export const noAttributes: Attributes = { over18: null }

export const attributeNames = Object.keys(attributeColumns) as (keyof Attributes)[]

export function pickAttributes(from: Attributes): Attributes {
  return Object.fromEntries(attributeNames.map(name => [name, from[name]])) as unknown as Attributes
}

/** What the provider reports about a session, in this product's terms. No personal data: the age is evaluated. */
export interface ProviderResult extends Attributes {
  providerSessionId: string
  /** The verification's id, as the provider echoes it; null if it sent none. */
  vendorData: string | null
  /** The attempt within the session; null if the provider sent none. */
  attemptId: string | null
  outcome: ProviderOutcome
  /** Event or decision code, such as 7001 or 9102; null if the provider sent none. */
  code: number | null
  /** Why it was declined or has to be repeated, such as "106"; null if the provider sent none. */
  reasonCode: string | null
  /** The provider's score, from 0 to 1; null if it sent none, 0 if it sent one that isn't understood. */
  score: number | null
  /** Null for events, which carry no time. */
  decidedAt: Date | null
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
