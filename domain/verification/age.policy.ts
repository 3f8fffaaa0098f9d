export const adultYears = 18

/**
 * How far an estimated age may be off. One counts as adult from 18 plus this margin; a lower estimate proves nothing, not
 * even that the person is a minor: only a date or a year of birth can deny.
 */
export const estimateMarginYears = 7
export const adultEstimateYears = adultYears + estimateMarginYears

/** The oldest living person is 117. Older ones come from placeholders, such as 1900-01-01 or 0001-01-01. */
export const ageYearsMax = 120

/** The provider's reason codes that say "under age": under 13, 14, 16 and 18. */
export const underAgeReasons = { first: 530, last: 533 }

/**
 * Evidence of a person's age, as received. Each piece is absent (null, undefined or ''), or known, in the form that is
 * given here; anything else is unknown, which proves nothing.
 */
export interface AgeEvidence {
  /** `YYYY-MM-DD`. */
  dateOfBirth: unknown
  /** `YYYY`, as text or as a number. */
  yearOfBirth: unknown
  /** Years, as estimated from a portrait. Of several, each has to prove it. */
  estimatedAges: readonly unknown[]
  /** Whether something else speaks against an estimate, such as a reason of the provider's that says "under 18". */
  estimateIsContested: boolean
}

/**
 * Whether the person is 18 or over on the UTC day of `on`; null if unknown. A date of birth takes precedence over a year,
 * which counts as its last day, and a year over an estimate: what is present and not understood makes the age unknown.
 */
export function isOver18(evidence: AgeEvidence, on: Date): boolean | null {
  const { dateOfBirth, yearOfBirth, estimateIsContested } = evidence
  if (!isAbsent(dateOfBirth)) return isAdult(ageInYears(dateOfBirth, on))
  if (!isAbsent(yearOfBirth)) return isAdult(ageInYears(`${toYear(yearOfBirth)}-12-31`, on))
  const estimates = evidence.estimatedAges.filter(estimate => !isAbsent(estimate))
  return estimates.length > 0 && estimates.every(isSurelyAdult) && !estimateIsContested ? true : null
}

/** Whether nothing was sent. */
export function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

/**
 * Whole years from a `YYYY-MM-DD` date of birth to the UTC day of `on`; undefined for anything else, for dates that
 * don't exist, for the future and for ages over 120. A person born on 29 February turns a year older on 1 March in
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

function isAdult(years: number | undefined): boolean | null {
  return years === undefined ? null : years >= adultYears
}

/** Whether it is a `YYYY-MM-DD` that exists. */
function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

function toYear(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function isSurelyAdult(estimatedAge: unknown): boolean {
  return typeof estimatedAge === 'number' && estimatedAge >= adultEstimateYears && estimatedAge <= ageYearsMax
}
