import { validate, version } from 'uuid'
import { z } from 'zod'
import { timeOfId } from '#domain/ids.ts'
import type { ProviderResult } from '#domain/provider-result.ts'
import { judgeAge } from '#domain/verification/age.policy.ts'
import { readAgeEvidence, unwrap } from './read-age-evidence.ts'

/** How far Veriff's clock may differ from ours. A decision time beyond that says nothing of the day. */
const clockDifferenceMsMax = 10_000

type EvaluatedDecision = Omit<ProviderResult, 'providerSessionId' | 'outcome'>

/**
 * Where personal data ends: takes the date of birth in the `body`, and returns only whether the person was 18 or over on the
 * day of the decision: `now`, unless it was made earlier, and after the verification was created.
 */
export function evaluateDecision(decision: Decision, body: unknown, now: Date): EvaluatedDecision {
  const { attemptId, vendorData, code, reasonCode, decisionScore, decisionTime: decidedAt } = decision
  const createdAt = timeOfVerification(vendorData) ?? decidedAt
  const isEarlier = decidedAt !== null && decidedAt < now && decidedAt >= createdAt!
  const { over18, basis } = judgeAge(readAgeEvidence(decision, body), isEarlier ? decidedAt : now)
  return {
    attemptId,
    vendorData,
    code,
    reasonCode: readReasonCode(reasonCode),
    score: readScore(unwrap(decisionScore)),
    decidedAt,
    hasWrongTime: decidedAt !== null && !isBetween(decidedAt, createdAt!, now),
    over18,
    ageBasis: basis,
  }
}

function isBetween(time: Date, earliest: Date, latest: Date): boolean {
  const ms = time.getTime()
  return ms >= earliest.getTime() - clockDifferenceMsMax && ms <= latest.getTime() + clockDifferenceMsMax
}

/** When it was created, which its id says; undefined for what is no id of ours. */
function timeOfVerification(vendorData: string | null): Date | undefined {
  const isOurs = vendorData !== null && validate(vendorData) && version(vendorData) === 7
  return isOurs ? timeOfId(vendorData) : undefined
}

/** A number from 0 to 1, also as text; null where there is none. One that isn't understood is 0, since it confirms nothing. */
function readScore(sent: unknown): number | null {
  if (sent === null || sent === undefined || sent === '') return null
  const score = typeof sent === 'string' && sent.trim() !== '' ? Number(sent) : sent
  return typeof score === 'number' && score >= 0 && score <= 1 ? score : 0
}

function readReasonCode(sent: unknown): string | null {
  const text = typeof sent === 'number' ? String(sent) : sent
  return typeof text === 'string' && /^[\w.-]{1,100}$/.test(text) ? text : null
}

/**
 * Visible ASCII, at most 200 characters: Veriff's identifiers are UUIDs, and nothing else may reach the database. UUIDs have
 * no case, so they are read in lower case.
 */
export const identifier = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .toLowerCase()

/** An identifier that can be null, empty or absent. Results are matched on it, so an invalid one is an error. */
export const matchedIdentifier = identifier
  .or(z.literal(''))
  .nullish()
  .transform(id => id || null)

export const attemptId = identifier.nullable().catch(null)

/** A code of an event or of a decision: a number, also as text. */
export const code = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(0).max(99_999))

const yearTenThousand = new Date('9999-12-31T23:59:59Z')

/** ISO 8601 with a time zone, from 1970 on; Veriff sends 3 or 6 fractional digits. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .transform(text => new Date(text))
  .refine(time => time.getTime() >= 0 && time < yearTenThousand)
  .nullable()
  .catch(null)

/**
 * The details of a decision, in both of its forms, without its outcome. An optional value that is absent or invalid becomes
 * null; what is still to be read is as it was sent.
 */
export const decisionFields = {
  attemptId,
  vendorData: matchedIdentifier,
  code: code.nullable().catch(null),
  decisionTime: timestamp,
  reasonCode: z.unknown().optional(),
  decisionScore: z.unknown().optional(),
  person: z.unknown().optional(),
  additionalVerifiedData: z.unknown().optional(),
}

const decision = z.object(decisionFields)
type Decision = z.infer<typeof decision>
