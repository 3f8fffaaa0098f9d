import type { DomainError } from '#domain/errors.ts'
import { unreadableBody } from './input.ts'
import { locateJsonError } from './locate-json-error.ts'

/** Throws `INVALID_REQUEST_BODY` with the line and column of what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson(text)
  }
}

/** The error for a text that is not JSON. */
export function notJson(text: string): DomainError {
  const located = locateJsonError(text)
  // The only thing in JSON that koa-body rejects.
  if (!located) return unreadableBody('must have no field __proto__')
  const { line, column, problem } = located
  return unreadableBody(`must be valid JSON: ${problem} at line ${line}, column ${column}`, { line, column })
}
