import { type ZodError, z } from 'zod'
import { type InputIssue, issueMessageLengthMax, issuePathLengthMax, issuesMax } from './error-details.ts'

/**
 * The issues of a validation error, bounded in number and length, with one issue per unknown field. `noun` is what the
 * input consists of.
 */
export function inputIssues(error: ZodError, noun: 'field' | 'parameter' = 'field'): InputIssue[] {
  const issues: InputIssue[] = []
  for (const { code, path, message, ...rest } of error.issues) {
    if (issues.length === issuesMax) break
    if (code !== 'unrecognized_keys') {
      issues.push(boundedIssue(path, message))
      continue
    }
    const unknown = (rest as { keys: string[] }).keys.slice(0, issuesMax - issues.length)
    for (const key of unknown) issues.push(boundedIssue([...path, key], unknownKey(key, noun, message)))
  }
  return issues
}

function unknownKey(key: string, noun: string, allowed: string): string {
  return key === '' ? `has a ${noun} without a name; ${allowed}` : `is an unknown ${noun}; ${allowed}`
}

function boundedIssue(path: PropertyKey[], message: string): InputIssue {
  return {
    path: shorten(path.map(String).join('.'), issuePathLengthMax),
    message: shorten(message, issueMessageLengthMax),
  }
}

/** Cuts the text to the length, with an ellipsis, and never within a character. */
function shorten(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`
}

/**
 * What is wrong with a value, where its schema has no message of its own: the predicate of a sentence about the value,
 * such as `must be a string, not null`. For unknown fields, only which ones are allowed.
 */
const issueMessage: z.core.$ZodErrorMap = issue => {
  if (issue.input === undefined) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}, not ${describeType(issue.input)}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_big':
      return `must ${describeLimit(issue, issue.maximum, 'at most', 'less than')}`
    case 'too_small':
      if (issue.minimum === 1 && ['string', 'array'].includes(issue.origin)) return 'must not be empty'
      return `must ${describeLimit(issue, issue.minimum, 'at least', 'more than')}`
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

function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function describeLimit(
  { origin, inclusive = true }: { origin: string; inclusive?: boolean },
  limit: number | bigint,
  included: string,
  excluded: string,
): string {
  if (origin === 'string') return `have ${included} ${limit} characters`
  if (origin === 'array') return `have ${included} ${limit} entries`
  return `be ${inclusive ? included : excluded} ${limit}`
}

function allowedKeys(schema: unknown): string {
  const allowed = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return allowed.length > 0 ? `allowed: ${allowed.join(', ')}` : 'none is allowed'
}

// For every schema: tRPC parses inputs without options.
z.config({ customError: issueMessage })
