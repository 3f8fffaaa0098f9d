import { z } from 'zod'
import { hasHiddenCharacters } from '../parameters.ts'

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
  /** The member of the operator's setting that says it, such as `PRACTICE.contact`. */
  setting?: string
  seconds?: number
  years?: number
}

const sentence = z
  .string()
  .max(1_000, 'must have at most 1000 characters')
  .refine(text => !hasHiddenCharacters(text), 'must be one line without control or invisible characters')

/** What only the operator knows. What is absent is shown as missing. */
export const operatorFacts = z
  .strictObject({
    /** Who is responsible for the service: name and address. */
    controller: sentence,
    /** How they are reached. */
    contact: sentence,
    /** Where, and how, a person complains. */
    complaints: sentence,
    /** The number of days within which a complaint is answered. */
    complaintsDays: z.int().min(1).max(365),
    /** Another way for people who have no document or no camera. */
    alternative: sentence,
    /** The certificates that the identity provider has. */
    providerCertificates: sentence,
    /** What it does against presentation attacks: photos, masks, deepfakes. */
    providerPresentationAttacks: sentence,
    /** Tests of its errors, and of its bias, that are published, and where. */
    providerTests: sentence,
    /** Its sub-processors, and the countries in which it and they process data. */
    providerSubprocessors: sentence,
    /** The number of days after which the identity provider deletes a session, by its contract. */
    providerRetentionDays: z.int().min(1).max(3_650),
  })
  .partial()

export type OperatorFacts = z.output<typeof operatorFacts>
export type OperatorFact = keyof OperatorFacts

/** The facts that the operator has not stated. */
export function missingFacts(stated: OperatorFacts): OperatorFact[] {
  return operatorFacts.keyof().options.filter(fact => stated[fact] === undefined)
}

export function operatorFact({ practice }: { practice: Practice }, key: OperatorFact, name: string): Fact {
  const stated = practice.operator[key] ?? null
  const text = typeof stated === 'number' ? `${stated} ${stated === 1 ? 'day' : 'days'}` : stated
  return { name, setting: `PRACTICE.${key}`, text }
}

/** Facts from outside of the domain. */
export interface Practice {
  operator: OperatorFacts
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
