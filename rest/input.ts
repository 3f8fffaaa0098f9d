import type { ZodError, ZodType, z } from 'zod'
import { DomainError, type InputIssue } from '#domain/errors.ts'

type InputCode = 'INVALID_REQUEST_BODY' | 'INVALID_PARAMETERS'

/** Validates an input. Throws an error with the given code and `details.issues`. */
export function checkInput<Schema extends ZodType>(
  schema: Schema,
  input: unknown,
  code: InputCode,
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw invalidInput(code, issuesOf(parsed.error))
}

export function invalidInput(code: InputCode, issues: InputIssue[], cause?: unknown): DomainError {
  const first = issues[0]
  const message = first && `${first.path === '' ? 'The input' : first.path}: ${first.message}`
  return new DomainError(code, { details: { issues }, cause, ...(message ? { message } : {}) })
}

/** Limits the response: a body of unknown fields alone would otherwise produce one ten times its size. */
const issuesMax = 100

function issuesOf(error: ZodError): InputIssue[] {
  const issues = error.issues.flatMap(issue => {
    const path = issue.path.map(String).join('.')
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.map(key => ({ path: path ? `${path}.${key}` : key, message: 'unknown field' }))
  })
  return issues.slice(0, issuesMax)
}
