import type { ZodError } from 'zod'
import { type InputIssue, issueMessageLengthMax, issuePathLengthMax, issuesMax } from './error-details.ts'

/** The issues of a validation error, bounded in number and length, with one issue per unknown field. */
export function inputIssues(error: ZodError): InputIssue[] {
  const issues: InputIssue[] = []
  for (const { code, path, message, ...rest } of error.issues) {
    if (issues.length === issuesMax) break
    if (code !== 'unrecognized_keys') {
      issues.push(boundedIssue(path, message))
      continue
    }
    const unknown = (rest as { keys: string[] }).keys.slice(0, issuesMax - issues.length)
    issues.push(...unknown.map(key => boundedIssue([...path, key], 'unknown field')))
  }
  return issues
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
