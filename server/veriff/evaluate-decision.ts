import { z } from 'zod'
import type { ProviderResult } from '#domain/provider-result.ts'
import { isOver18 } from '#domain/verification/age.policy.ts'

/** How far Veriff's clock may be ahead. A later decision time is ignored, because it would add to a person's age. */
const clockSkewMsMax = 24 * 60 * 60 * 1000

type EvaluatedDecision = Omit<ProviderResult, 'providerSessionId' | 'vendorData' | 'outcome'>

/** Where personal data ends: takes the date of birth, and returns only whether the person is 18 or over. */
export function evaluateDecision(decision: Decision, now: Date): EvaluatedDecision {
  const { attemptId, code, reasonCode, decisionScore, decisionTime, person, additionalVerifiedData } =
    decision
  const isPlausible = decisionTime !== null && decisionTime.getTime() <= now.getTime() + clockSkewMsMax
  const decidedAt = isPlausible ? decisionTime : null
  const evidence = {
    dateOfBirth: person.dateOfBirth,
    estimatedAge: additionalVerifiedData.estimatedAge,
  }
  const over18 = isOver18(evidence, decidedAt ?? now)
  return { attemptId, code, reasonCode, score: decisionScore, decidedAt, over18 }
}

/** Visible ASCII, at most 200 characters: Veriff's identifiers are UUIDs, and nothing else may reach the database. */
export const identifier = z.string().regex(/^[\x21-\x7e]{1,200}$/)

export const attemptId = identifier.nullable().catch(null)

/** ISO 8601 with a time zone; Veriff sends 3 or 6 fractional digits. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .transform(text => new Date(text))
  .nullable()
  .catch(null)

const wrappedValue = z.object({ value: z.unknown().optional() })

/** A plain value, or Full Auto's `{ value, confidenceCategory, sources }`. */
const possiblyWrapped = z
  .unknown()
  .optional()
  .transform(given => {
    const wrapped = wrappedValue.safeParse(given)
    return wrapped.success ? wrapped.data.value : given
  })

/**
 * The details of a decision, in both of its forms, without its outcome. An optional value that is absent or invalid becomes
 * null. Objects keep only the declared fields, which removes names and documents.
 */
export const decisionFields = {
  attemptId,
  code: z.int().min(0).max(99_999).nullable().catch(null),
  reasonCode: z
    .union([z.string(), z.number().transform(String)])
    .pipe(z.string().regex(/^[\w.-]{1,100}$/))
    .nullable()
    .catch(null),
  decisionScore: z.number().nullable().catch(null),
  decisionTime: timestamp,
  person: z.object({ dateOfBirth: possiblyWrapped }).catch({ dateOfBirth: null }),
  additionalVerifiedData: z.object({ estimatedAge: possiblyWrapped }).catch({ estimatedAge: null }),
}

const decision = z.object(decisionFields)
type Decision = z.infer<typeof decision>
