/**
 * The fields that Veriff's payloads share, read tolerantly: what a result can do without becomes null where it is
 * absent or absurd. Objects keep the declared fields only, so no name or document gets past them.
 */
import { z } from 'zod'
import { providerOutcomes } from '#domain/verification/provider-result.ts'

/** Visible ASCII, at most 200 characters: Veriff's are UUIDs, and nothing else may reach the database. */
export const identifier = z.string().regex(/^[\x21-\x7e]{1,200}$/)

/** An id that may be null, empty or left out, but must be sound where it is there: results are matched on it. */
export const matchedIdentifier = identifier
  .or(z.literal(''))
  .nullish()
  .transform(id => id || null)

export const attemptId = identifier.nullable().catch(null)

export const decisionOutcome = z.enum(providerOutcomes).exclude(['started', 'submitted'])

/** ISO 8601 with a zone, in milliseconds; Veriff writes 3 or 6 fractional digits. */
export const instant = z.iso
  .datetime({ offset: true })
  .transform(text => new Date(text))
  .nullable()
  .catch(null)

const wrappedValue = z.object({ value: z.unknown().optional() })

/** A bare value, or Full Auto's `{ value, confidenceCategory, sources }`. */
const statedValue = z
  .unknown()
  .optional()
  .transform(stated => {
    const wrapped = wrappedValue.safeParse(stated)
    return wrapped.success ? wrapped.data.value : stated
  })

/** What a decision says beside its outcome, in both of its forms. */
export const judgement = {
  attemptId,
  code: z.int().min(0).max(99_999).nullable().catch(null),
  reasonCode: z
    .union([z.string(), z.number().transform(String)])
    .pipe(z.string().regex(/^[\w.-]{1,100}$/))
    .nullable()
    .catch(null),
  decisionScore: z.number().nullable().catch(null),
  decisionTime: instant,
  person: z.object({ dateOfBirth: statedValue }).catch({ dateOfBirth: null }),
  additionalVerifiedData: z.object({ estimatedAge: statedValue }).catch({ estimatedAge: null }),
}

const judgementObject = z.object(judgement)
export type Judgement = z.infer<typeof judgementObject>
