/**
 * The fields that Veriff's payloads share. An optional value that is absent or invalid becomes null. Objects keep
 * only the declared fields, which removes names and documents.
 */
import { z } from 'zod'
import { providerOutcomes } from '#domain/provider-result.ts'

/** Visible ASCII, at most 200 characters: Veriff's identifiers are UUIDs, and nothing else may reach the database. */
export const identifier = z.string().regex(/^[\x21-\x7e]{1,200}$/)

/** An identifier that can be null, empty or absent. Results are matched on it, so an invalid one is an error. */
export const matchedIdentifier = identifier
  .or(z.literal(''))
  .nullish()
  .transform(id => id || null)

export const attemptId = identifier.nullable().catch(null)

export const decisionOutcome = z.enum(providerOutcomes).exclude(['started', 'submitted'])

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

/** The details of a decision, in both of its forms, without its outcome. */
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
export type Decision = z.infer<typeof decision>
