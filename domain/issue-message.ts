import { z } from 'zod'

/**
 * What is wrong with a value, where its schema has no message of its own: the predicate of a sentence about the value,
 * such as `must be a string, not null`. For unknown fields, only which ones are allowed.
 */
export const issueMessage: z.core.$ZodErrorMap = issue => {
  if (issue.input === undefined) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}, not ${typeOf(issue.input)}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_big':
      return `must ${atMost(issue)}`
    case 'too_small':
      return `must ${atLeast(issue)}`
    case 'invalid_format':
      return `must be ${formatNames[issue.format] ?? 'in the documented format'}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return allowedKeys(issue.inst)
    default:
      return 'is not valid'
  }
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'a JSON object',
  record: 'a JSON object',
}

const formatNames: Record<string, string> = {
  uuid: 'a UUID',
  url: 'a URL',
  date: 'a date such as 2026-12-31',
  datetime: 'a date and time such as 2026-12-31T23:59:59Z',
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function atMost({ origin, maximum, inclusive = true }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  if (origin === 'string') return `have at most ${maximum} characters`
  if (origin === 'array') return `have at most ${maximum} entries`
  return `be ${inclusive ? 'at most' : 'less than'} ${maximum}`
}

function atLeast({
  origin,
  minimum,
  inclusive = true,
}: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (minimum === 1 && (origin === 'string' || origin === 'array')) return 'not be empty'
  if (origin === 'string') return `have at least ${minimum} characters`
  if (origin === 'array') return `have at least ${minimum} entries`
  return `be ${inclusive ? 'at least' : 'more than'} ${minimum}`
}

function allowedKeys(schema: unknown): string {
  const allowed = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return allowed.length > 0 ? `allowed: ${allowed.join(', ')}` : 'none is allowed'
}
