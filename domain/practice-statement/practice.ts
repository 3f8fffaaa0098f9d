import type { Rules } from '../scope.ts'

/** What a statement says, and what the rest of the service has to tell it. */

/** As it is stored and hashed, so that any version can be shown: names and texts, in the order in which they are read. */
export interface Statement {
  /** The public address of the service. */
  service: string
  sections: Record<string, Section>
}

export interface Section {
  title: string
  facts: Record<string, Fact>
}

/** Numbers stand in the text, too. */
export interface Fact {
  name: string
  /** Null if it is missing. */
  text: string | null
  /** The operator's setting that says it. */
  setting?: string
  seconds?: number
  years?: number
}

/** What only the operator knows. */
export const operatorFacts = [
  'controller',
  'contact',
  'complaints',
  'complaintsDays',
  'providerRetentionDays',
  'alternative',
  'providerCertificates',
] as const
export type OperatorFact = (typeof operatorFacts)[number]

export function operatorFact({ practice }: Pick<Rules, 'practice'>, key: OperatorFact, name: string): Fact {
  return { name, ...practice.operator[key] }
}

/** Facts from outside of the domain. */
export interface Practice {
  /** Each with the setting that says it; null where that is not set. */
  operator: Record<OperatorFact, { setting: string; text: string | null }>
  /** Null where every verification is simulated. */
  provider: ProviderPractice | null
  /** How secrets at rest are encrypted. */
  encryption: string
  /** The version of the tenant API's contract. */
  contract: string
}

/** Sentences about an identity provider, as it is integrated. */
export interface ProviderPractice {
  name: string
  method: string
  /** What speaks against an estimated age, beside a date or year of birth. */
  contests: string
}
