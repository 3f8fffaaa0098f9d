import type { ZodObject } from 'zod'
import { admissionError } from '#domain/api-key/admission.policy.ts'
import { type ErrorCode, errorCatalogue } from '#domain/error-codes.ts'
import { DomainError } from '#domain/errors.ts'
import { monthlyLimitReached } from '#domain/usage/monthly-limit-reached.ts'
import { toErrorEnvelope } from '#rest/errors.ts'
import { exampleCompletedAt } from '#rest/examples.ts'
import { invalidParameters, unreadableBody } from '#rest/input.ts'
import { unusableKey } from '#rest/unusable-key.ts'
import { exampleRequestId } from './headers.ts'

const now = new Date(exampleCompletedAt)

/** Those with more than the catalogue's sentence, made as the service makes them. */
const detailed: Partial<Record<ErrorCode, DomainError>> = {
  UNAUTHENTICATED_TENANT: unusableKey({}),
  FORBIDDEN: admissionError('FORBIDDEN', 'verifications:write'),
  INVALID_REQUEST_BODY: unreadableBody('must be valid JSON'),
  RATE_LIMIT_EXCEEDED: new DomainError('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds: 27 } }),
  QUOTA_EXCEEDED: monthlyLimitReached({ code: 'QUOTA_EXCEEDED', limit: 10_000, used: 10_000 }, now),
  HARD_LIMIT_EXCEEDED: monthlyLimitReached({ code: 'HARD_LIMIT_EXCEEDED', limit: 20_000, used: 20_000 }, now),
}

/** An example of each code, by code, of an operation with these parameters. */
export function errorExamples(codes: readonly ErrorCode[], parameters: ZodObject) {
  return Object.fromEntries(
    codes.map(code => {
      const error = code === 'INVALID_PARAMETERS' ? wrongParameters(parameters) : detailed[code]
      const value = toErrorEnvelope(error ?? new DomainError(code), exampleRequestId)
      return [code, { summary: toSummary(code), value }]
    }),
  )
}

/** What is sent without parameters or, where none is required, with one of them that is unknown. */
function wrongParameters(parameters: ZodObject): DomainError {
  const { error } = parameters.safeParse(parameters.safeParse({}).success ? { expand: 'token' } : {})
  return error ? invalidParameters(error) : new DomainError('INVALID_PARAMETERS')
}

function toSummary(code: ErrorCode): string {
  return errorCatalogue[code].split('. ')[0]!.replace(/\.$/, '')
}
