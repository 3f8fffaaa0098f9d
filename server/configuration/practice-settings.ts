import { z } from 'zod'
import { hasHiddenCharacters } from '#domain/parameters.ts'
import type { OperatorFact, Practice } from '#domain/practice-statement/practice.ts'
import { type Settings, setting, wholeNumber } from './config-values.ts'

const sentence = z
  .string()
  .max(1_000, 'must have at most 1000 characters')
  .refine(text => !hasHiddenCharacters(text), 'must be one line without control or invisible characters')
  .optional()

/** What only the operator knows, for the practice statement: a sentence each. Unset, the statement says that it is missing. */
export const practiceVariables = {
  /** Who is responsible for the service: name and address. */
  PRACTICE_CONTROLLER: setting('practiceController', sentence),
  /** How they are reached. */
  PRACTICE_CONTACT: setting('practiceContact', sentence),
  /** Where, and how, a person complains. */
  PRACTICE_COMPLAINTS: setting('practiceComplaints', sentence),
  /** The number of days within which a complaint is answered. */
  PRACTICE_COMPLAINTS_DAYS: setting('practiceComplaintsDays', wholeNumber(1, 365).optional()),
  /** The number of days after which the identity provider deletes a session, by its contract. */
  PRACTICE_PROVIDER_RETENTION_DAYS: setting(
    'practiceProviderRetentionDays',
    wholeNumber(1, 3_650).optional(),
  ),
  /** Another way for people who have no document or no camera. */
  PRACTICE_ALTERNATIVE: setting('practiceAlternative', sentence),
  /** The certificates that the identity provider has. */
  PRACTICE_PROVIDER_CERTIFICATES: setting('practiceProviderCertificates', sentence),
}

type PracticeVariable = keyof typeof practiceVariables
type PracticeSettings = Settings<typeof practiceVariables>

const variableOf: Record<OperatorFact, PracticeVariable> = {
  controller: 'PRACTICE_CONTROLLER',
  contact: 'PRACTICE_CONTACT',
  complaints: 'PRACTICE_COMPLAINTS',
  complaintsDays: 'PRACTICE_COMPLAINTS_DAYS',
  providerRetentionDays: 'PRACTICE_PROVIDER_RETENTION_DAYS',
  alternative: 'PRACTICE_ALTERNATIVE',
  providerCertificates: 'PRACTICE_PROVIDER_CERTIFICATES',
}

/** What the settings say, and which setting says it. */
export function operatorPractice(settings: PracticeSettings): Practice['operator'] {
  const facts = Object.entries(variableOf).map(([fact, name]) => {
    const value = settings[practiceVariables[name].field]
    const text = typeof value === 'number' ? `${value} ${value === 1 ? 'day' : 'days'}` : (value ?? null)
    return [fact, { setting: name, text }]
  })
  return Object.fromEntries(facts) as Practice['operator']
}

/** The settings that are missing in the statement. */
export function missingPractice(settings: PracticeSettings): string[] {
  const facts = Object.values(operatorPractice(settings))
  return facts.filter(({ text }) => text === null).map(({ setting: name }) => name)
}
