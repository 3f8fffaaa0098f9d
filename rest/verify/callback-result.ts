import type { ErrorCode } from '#domain/error-codes.ts'
import { toDomainError } from '#domain/to-domain-error.ts'

/**
 * What became of a callback. 200: `applied`; `unchanged`, because it was repeated, late or out of order; `contradicted`
 * what was completed; `unmatched`, of no known verification; `ignored`, of an unknown code or shape. Errors:
 * `unauthenticated`, `invalid`, `limited` and `failed`.
 */
export const callbackResults = [
  'applied',
  'unchanged',
  'contradicted',
  'unmatched',
  'ignored',
  'unauthenticated',
  'invalid',
  'limited',
  'failed',
] as const
export type CallbackResult = (typeof callbackResults)[number]

const resultOfCode: Partial<Record<ErrorCode, CallbackResult>> = {
  FORBIDDEN: 'unauthenticated',
  INVALID_REQUEST_BODY: 'invalid',
  RATE_LIMIT_EXCEEDED: 'limited',
}

export function resultOfError(error: unknown): CallbackResult {
  return resultOfCode[toDomainError(error).code] ?? 'failed'
}
