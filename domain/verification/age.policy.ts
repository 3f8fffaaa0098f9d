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
  /** The person's, `YYYY-MM-DD`. */
  dateOfBirth: unknown
  /** The person's, `YYYY`, as text or as a number. */
  yearOfBirth: unknown
  /** Every date and year of birth, wherever it stands, with those above. */
  births: readonly unknown[]
  /** Years, as estimated from a portrait. Of several, each has to prove it. */
  estimatedAges: readonly unknown[]
  /** The provider's reason for its decision. */
  reasonCode: unknown
}

/** What a verdict rests on; `contradiction`: the evidence says both. */
export const ageBases = ['date', 'year', 'estimate', 'contradiction', 'none'] as const
export type AgeBasis = (typeof ageBases)[number]

export interface AgeVerdict {
  /** Whether the person was 18 or over on the day; null if unknown. */
  over18: boolean | null
  basis: AgeBasis
}

const unknown: AgeVerdict = { over18: null, basis: 'none' }
const contradictory: AgeVerdict = { over18: null, basis: 'contradiction' }

/**
 * What the evidence says of the UTC day of `on`. A date of birth takes precedence over a year, which counts as its last day, and
 * a year over an estimate: what is present and not understood makes the age unknown. So does a date or a year anywhere else
 * that doesn't say the same, and a reason that says "under age".
 */
export function judgeAge(evidence: AgeEvidence, on: Date): AgeVerdict {
  const { dateOfBirth, yearOfBirth, births, reasonCode } = evidence
  const basis = !isAbsent(dateOfBirth) ? 'date' : !isAbsent(yearOfBirth) ? 'year' : undefined
  if (!basis) return births.length > 0 ? unknown : judgeEstimates(evidence)
  const over18 = basis === 'date' ? isAdult(ageInYears(dateOfBirth, on)) : isAdultByYear(yearOfBirth, on)
  if (over18 === null) return unknown
  const others = births
    .filter(birth => basis === 'year' || !isYearOf(birth, dateOfBirth))
    .map(birth => isAdult(ageInYears(birth, on)) ?? isAdultByYear(birth, on))
  const agrees = over18 ? others.every(other => other === true) : !others.includes(true)
  return agrees && !(over18 && isUnderAge(reasonCode)) ? { over18, basis } : contradictory
}

/** An estimate never denies, and proves nothing on an approval whose reason may say "under age". */
function judgeEstimates({ estimatedAges, reasonCode }: AgeEvidence): AgeVerdict {
  const estimates = estimatedAges.filter(estimate => !isAbsent(estimate))
  if (estimates.length === 0 || !estimates.every(isSurelyAdult)) return unknown
  const isClear = isAbsent(reasonCode) || (toCode(reasonCode) !== undefined && !isUnderAge(reasonCode))
  return isClear ? { over18: true, basis: 'estimate' } : contradictory
}

function isUnderAge(reasonCode: unknown): boolean {
  const code = toCode(reasonCode)
  return code !== undefined && code >= underAgeReasons.first && code <= underAgeReasons.last
}

/** Undefined for a reason that is no code: it can be any of them. */
function toCode(reasonCode: unknown): number | undefined {
  const isText = typeof reasonCode === 'string' && reasonCode.trim() !== ''
  const code = isText || typeof reasonCode === 'number' ? Number(reasonCode) : Number.NaN
  return Number.isInteger(code) ? code : undefined
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

function isAdultByYear(year: unknown, on: Date): boolean | null {
  return isAdult(ageInYears(`${toYear(year)}-12-31`, on))
}

/** Whether it is the year of the date, of which it says nothing more. */
function isYearOf(year: unknown, date: unknown): boolean {
  return /^\d{4}$/.test(toYear(year)) && String(date).startsWith(`${toYear(year)}-`)
}

function toYear(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function isSurelyAdult(estimatedAge: unknown): boolean {
  return typeof estimatedAge === 'number' && estimatedAge >= adultEstimateYears && estimatedAge <= ageYearsMax
}
