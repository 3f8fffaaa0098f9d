import type { ZodType, z } from 'zod'
import type { InputIssue } from '#domain/error-details.ts'
import { DomainError } from '#domain/errors.ts'
import { inputIssues } from '#domain/input-issues.ts'

type InputCode = 'INVALID_REQUEST_BODY' | 'INVALID_PARAMETERS'

/** Validates an input. Throws an error with the given code and `details.issues`. */
export function checkInput<Schema extends ZodType>(
  schema: Schema,
  input: unknown,
  code: InputCode,
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw invalidInput(code, inputIssues(parsed.error))
}

export function invalidInput(code: InputCode, issues: InputIssue[], cause?: unknown): DomainError {
  const first = issues[0]
  const message = first && `${first.path === '' ? 'The input' : first.path}: ${first.message}`
  return new DomainError(code, { details: { issues }, cause, ...(message ? { message } : {}) })
}
