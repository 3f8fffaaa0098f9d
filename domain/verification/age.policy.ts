const adultYears = 18

/**
 * An estimated age counts as adult from 18 plus a margin of error of 7 years. A lower estimate proves nothing, not
 * even that the person is a minor: only a date of birth can deny.
 */
const adultEstimateYears = adultYears + 7

/** No one has lived longer; a higher age comes from a placeholder such as 0001-01-01. */
const ageYearsMax = 130

/** Evidence of a person's age, as received and unchecked. null, undefined and '' mean that it is unknown. */
export interface AgeEvidence {
  /** `YYYY-MM-DD`. */
  dateOfBirth: unknown
  /** Years, as estimated from a portrait. */
  estimatedAge: unknown
}

/**
 * Whether the person is 18 or over on the UTC day of `on`; null if unknown. Fails closed: an impossible date of
 * birth makes it unknown. A date of birth, possible or not, takes precedence over an estimate.
 */
export function isOver18({ dateOfBirth, estimatedAge }: AgeEvidence, on: Date): boolean | null {
  if ((dateOfBirth ?? '') !== '') {
    const years = ageInYears(dateOfBirth, on)
    return years === undefined ? null : years >= adultYears
  }
  return isSurelyAdult(estimatedAge) ? true : null
}

/**
 * Whole years from a `YYYY-MM-DD` date of birth to the UTC day of `on`; undefined for anything else, for dates that
 * don't exist, for the future and for ages over 130. A person born on 29 February turns a year older on 1 March in
 * a common year.
 */
export function ageInYears(dateOfBirth: unknown, on: Date): number | undefined {
  if (!isCalendarDate(dateOfBirth) || Number.isNaN(on.getTime())) return undefined
  const [year = 0, month = 0, day = 0] = dateOfBirth.split('-').map(Number)
  const hadBirthday =
    on.getUTCMonth() + 1 > month || (on.getUTCMonth() + 1 === month && on.getUTCDate() >= day)
  const years = on.getUTCFullYear() - year - (hadBirthday ? 0 : 1)
  return years >= 0 && years <= ageYearsMax ? years : undefined
}

/** Whether it is a `YYYY-MM-DD` that exists. */
function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

function isSurelyAdult(estimatedAge: unknown): boolean {
  return typeof estimatedAge === 'number' && estimatedAge >= adultEstimateYears && estimatedAge <= ageYearsMax
}
