import { z } from 'zod'

const adultYears = 18

/**
 * How far an estimate of the age may be off before it counts: 18 and 7 more. Below that it says nothing, not even
 * that the person is a minor: only a date of birth can deny.
 */
const adultEstimateYears = adultYears + 7

/** Nobody has lived longer; a greater age comes of a placeholder such as 0001-01-01. */
const ageYearsMax = 130

/** What is known of a person's age, as received and unchecked. null, undefined and '' say that it is not known. */
export interface AgeEvidence {
  /** `YYYY-MM-DD`. */
  dateOfBirth: unknown
  /** Years, as estimated from a portrait. */
  estimatedAge: unknown
}

/**
 * Whether the person is 18 or over on the UTC day of `on`; null where that is unknown. Fails closed: a date of
 * birth that can't be true makes it unknown. A date of birth, true or not, beats an estimate.
 */
export function isOver18({ dateOfBirth, estimatedAge }: AgeEvidence, on: Date): boolean | null {
  if (!isAbsent(dateOfBirth)) {
    const years = ageInYears(dateOfBirth, on)
    return years === undefined ? null : years >= adultYears
  }
  return isSurelyAdult(estimatedAge) ? true : null
}

/**
 * Whole years from a `YYYY-MM-DD` date of birth to the UTC day of `on`; undefined for anything else, for days that
 * no calendar has, for the future and for ages over 130. Who is born on 29 February is a year older on 1 March
 * of a common year.
 */
export function ageInYears(dateOfBirth: unknown, on: Date): number | undefined {
  const born = z.iso.date().safeParse(dateOfBirth)
  if (!born.success || Number.isNaN(on.getTime())) return undefined
  const [year = 0, month = 0, day = 0] = born.data.split('-').map(Number)
  const hadBirthday =
    on.getUTCMonth() + 1 > month || (on.getUTCMonth() + 1 === month && on.getUTCDate() >= day)
  const years = on.getUTCFullYear() - year - (hadBirthday ? 0 : 1)
  return years >= 0 && years <= ageYearsMax ? years : undefined
}

function isSurelyAdult(estimatedAge: unknown): boolean {
  return typeof estimatedAge === 'number' && estimatedAge >= adultEstimateYears && estimatedAge <= ageYearsMax
}

function isAbsent(evidence: unknown): boolean {
  return evidence === null || evidence === undefined || evidence === ''
}
