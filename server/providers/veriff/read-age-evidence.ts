import { type AgeEvidence, isAbsent } from '#domain/verification/age.policy.ts'

/**
 * The evidence of a person's age in a decision, in either of its forms. Nothing that is present becomes absent: a `person`
 * that is no object is a date of birth that is not understood.
 */
export function readAgeEvidence(
  { person: sent, additionalVerifiedData, reasonCode }: AgeFields,
  body: unknown,
): AgeEvidence {
  // In a list it is no date, even if it reads like one.
  const person = isRecord(sent) ? sent : { dateOfBirth: isAbsent(sent) ? null : [sent] }
  const additional = isRecord(additionalVerifiedData) ? additionalVerifiedData : {}
  return {
    dateOfBirth: unwrap(person.dateOfBirth),
    yearOfBirth: unwrap(person.yearOfBirth),
    estimatedAges: [unwrap(person.estimatedAge), unwrap(additional.estimatedAge)],
    births: findBirths(body),
    reasonCode: unwrap(reasonCode),
  }
}

/** Where the evidence is, in both forms of a decision; unchecked. */
interface AgeFields {
  person?: unknown
  additionalVerifiedData?: unknown
  reasonCode?: unknown
}

/** A plain value, or Full Auto's `{ value, confidenceCategory, sources }`. */
export function unwrap(given: unknown): unknown {
  return isRecord(given) && 'value' in given ? given.value : given
}

/** Names of a date or a year of birth, in any spelling: `dateOfBirth`, `date_of_birth`, `DOB`. */
const birthDate = /^(date|year)ofbirth$|^birth(date|day|year)$|^dob$/

/** Every date and year of birth, at any depth: not recursive, because a body can be nested as deep as it is long. */
function findBirths(body: unknown): unknown[] {
  const births: unknown[] = []
  const unread = [body]
  while (unread.length > 0) {
    const next = unread.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const [name, value] of Object.entries(next)) {
      if (birthDate.test(name.replace(/[^a-z]/gi, '').toLowerCase())) births.push(unwrap(value))
      unread.push(value)
    }
  }
  return births.filter(birth => !isAbsent(birth))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
