import type { ZodType, z } from 'zod'
import type { InputIssue } from '#domain/error-details.ts'
import { DomainError } from '#domain/errors.ts'
import { inputIssues } from '#domain/input-issues.ts'

/** Validates a parsed body. Throws `INVALID_REQUEST_BODY` with `details.issues`. */
export function checkBody<Schema extends ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw invalidBody(inputIssues(parsed.error))
}

/** Validates parameters: of the query, or headers. Throws `INVALID_PARAMETERS` with `details.issues`. */
export function checkParameters<Schema extends ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given, parsing)
  if (parsed.success) return parsed.data
  throw invalidParameters(parsed.error)
}

export function invalidParameters(error: z.ZodError): DomainError {
  const issues = inputIssues(error, 'parameter')
  return new DomainError('INVALID_PARAMETERS', {
    message: toSentence('The query', issues),
    details: { issues },
  })
}

/** The error for a body as a whole, such as one that is not JSON. `message` continues "The body". */
export function unreadableBody(message: string, cause?: unknown): DomainError {
  return invalidBody([{ path: '', message }], cause)
}

/** The error for parts of a body, or of the headers that describe it. */
export function invalidBody(issues: InputIssue[], cause?: unknown): DomainError {
  return new DomainError('INVALID_REQUEST_BODY', {
    message: toSentence('The body', issues),
    details: { issues },
    cause,
  })
}

/** A parameter that is sent several times is a list, which no schema accepts. */
const repeated: z.core.$ZodErrorMap = ({ input }) => {
  if (!Array.isArray(input)) return undefined
  return `was sent ${input.length === 2 ? 'twice' : `${input.length} times`}; send it once`
}
const parsing = { error: repeated }

/** The first issue as a sentence, whose subject is `whole` where the issue has no path. */
function toSentence(whole: string, issues: InputIssue[]): string {
  const [first, ...others] = issues
  const sentence = `${first?.path || whole} ${first?.message}.`
  if (others.length === 0) return sentence
  return `${sentence} ${others.length} more ${others.length === 1 ? 'issue is' : 'issues are'} in details.issues.`
}
