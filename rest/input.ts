import type { ZodError, ZodType, z } from 'zod'
import { DomainError, type InputIssue } from '#domain/errors.ts'

type InputCode = 'INVALID_REQUEST_BODY' | 'INVALID_PARAMETERS'

/** Checks an input. Throws the refusal of the given code, with `details.issues`. */
export function checkInput<Schema extends ZodType>(
  schema: Schema,
  input: unknown,
  code: InputCode,
): z.output<Schema> {
  const checked = schema.safeParse(input)
  if (checked.success) return checked.data
  throw invalidInput(code, issuesOf(checked.error))
}

export function invalidInput(code: InputCode, issues: InputIssue[], cause?: unknown): DomainError {
  const first = issues[0]
  const message = first && `${first.path === '' ? 'The input' : first.path}: ${first.message}`
  return new DomainError(code, { details: { issues }, cause, ...(message ? { message } : {}) })
}

/** More tell nobody more: a body of nothing but unknown fields would be answered with ten times its size. */
const issuesMax = 100

function issuesOf(error: ZodError): InputIssue[] {
  const issues = error.issues.flatMap(issue => {
    const path = issue.path.map(String).join('.')
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.map(key => ({ path: path ? `${path}.${key}` : key, message: 'unknown field' }))
  })
  return issues.slice(0, issuesMax)
}
