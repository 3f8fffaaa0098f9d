import { type ZodError, z } from 'zod'
import { type InputIssue, issueMessageLengthMax, issuePathLengthMax, issuesMax } from './error-details.ts'
import { issueMessage } from './issue-message.ts'

// For every schema: tRPC parses inputs without options.
z.config({ customError: issueMessage })

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
