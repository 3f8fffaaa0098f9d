import type { ZodObject } from 'zod'
import { type ErrorCode, errorCatalogue } from '#domain/error-codes.ts'
import { errorDetails } from '#domain/error-details.ts'

/** How the texts of zod begin, which are about schemas and not about what a caller should do. */
const rawText =
  /\b(Invalid (input|option|string|number|key in|value in|discriminator|element|UUID|GUID|URL|ISO|regex|date)|Too (big|small)|[Ee]xpected (string|number|int|boolean|object|array|record|undefined|one of)|received (undefined|null|string|number|boolean|object|array)|Unrecognized keys?)\b/

interface PublicError {
  code: unknown
  message: unknown
  details: unknown
}

/**
 * Checks every error in a response of the tenant API or of the console, whatever else it contains. Throws where a text is
 * one of zod, or where `details` are not those of the code.
 */
export function checkErrorResponse(body: unknown): void {
  for (const error of errorsIn(body)) checkError(error)
}

/** The console's response to a batch is a list. */
function errorsIn(body: unknown): PublicError[] {
  if (Array.isArray(body)) return body.flatMap(errorsIn)
  if (!isObject(body) || !('error' in body)) return []
  const { error, message, details } = body
  if (isObject(error) && isObject(error.data)) {
    return [{ code: error.data.error, message: error.message, details: error.data.details }]
  }
  return [{ code: error, message, details }]
}

function checkError({ code, message, details }: PublicError): void {
  // Responses of simulators and receivers have codes of their own.
  if (typeof code !== 'string' || !Object.hasOwn(errorCatalogue, code)) return
  const shown = JSON.stringify({ code, message, details }).slice(0, 1_000)
  const issues = isObject(details) && Array.isArray(details.issues) ? details.issues : []
  for (const text of [message, ...issues.map(issue => issue?.message)]) {
    if (typeof text !== 'string' || rawText.test(text))
      throw new Error(`An error has no text of ours: ${shown}`)
  }
  if (details === undefined) return
  const schemas: Partial<Record<ErrorCode, ZodObject>> = errorDetails
  const parsed = schemas[code as ErrorCode]?.strict().safeParse(details)
  if (!parsed?.success) throw new Error(`An error has details that its code does not have: ${shown}`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
