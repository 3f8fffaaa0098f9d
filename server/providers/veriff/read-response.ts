import { z } from 'zod'
import { type ProviderFailure, ProviderUnavailable } from '#domain/ports.ts'
import { readRetryAfterMs } from './retry-after.ts'
import type { VeriffResponse } from './send-request.ts'

/** The error for a response that isn't handled, with Veriff's own code, which tells an operator what to fix. */
export function unexpectedResponse(response: VeriffResponse, now: Date): ProviderUnavailable {
  const failure = failureOf(response)
  if (failure === 'foreign_response') return foreignResponse(response)
  const code = readErrorCode(response)
  const meaning = meanings[code ?? '']
  const hasCode = code !== undefined && code !== String(response.status)
  const withCode = hasCode ? ` with code ${code}${meaning ? `, ${meaning}` : ''}` : ''
  const reason = `Veriff returned ${response.status}${withCode}`
  return new ProviderUnavailable(failure, reason, readRetryAfterMs(response, now))
}

/** Pages of proxies, firewalls and captive portals say nothing of Veriff's, whatever their status. */
function failureOf(response: VeriffResponse): ProviderFailure {
  const { status, body } = response
  if (status >= 500) return 'server_error'
  if (status === 429) return 'rejected'
  const isForeign =
    status < 400 || !isObject(parseJson(body)) || (isGone(response) && !readErrorCode(response))
  return isForeign ? 'foreign_response' : 'rejected'
}

function foreignResponse({ status }: VeriffResponse): ProviderUnavailable {
  return new ProviderUnavailable('foreign_response', `Veriff returned ${status}, but not in its own form`)
}

const keyUnknown = 'the API key is unknown'
const signatureRefused = 'the signature is refused'

/** The codes about credentials. */
const meanings: Record<string, string> = {
  1801: keyUnknown,
  1802: keyUnknown,
  1803: keyUnknown,
  1804: 'the integration is inactive',
  1812: signatureRefused,
  1813: signatureRefused,
  1814: signatureRefused,
  1818: signatureRefused,
  1819: signatureRefused,
}

/** Whether Veriff refused the request because of its signature, so that another secret may be the right one. */
export function isSignatureRefused(response: VeriffResponse): boolean {
  const { status, body } = response
  if (![400, 401, 403].includes(status)) return false
  const meaning = meanings[readErrorCode(response) ?? '']
  return meaning === undefined ? status === 401 && isObject(parseJson(body)) : meaning === signatureRefused
}

/** Whether Veriff said that there is no such session, or none any more. A page with 404 doesn't. */
export function isUnknownSession(response: VeriffResponse): boolean {
  const code = isGone(response) ? readErrorCode(response) : undefined
  return code !== undefined && meanings[code] === undefined
}

/** Veriff's error code; undefined if the response is no error in its form. */
export function readErrorCode({ status, body }: VeriffResponse): string | undefined {
  const error = errorBody.safeParse(parseJson(body)).data
  // It is a number in some of Veriff's documents, but so it is in 404 pages of frameworks.
  return error?.status === 'fail' || !isGone({ status }) ? error?.code : undefined
}

/** 404 and 410 are also what frameworks and proxies say of themselves. */
export function isGone({ status }: Pick<VeriffResponse, 'status'>): boolean {
  return status === 404 || status === 410
}

const errorBody = z.object({
  status: z.unknown(),
  code: z.union([z.string(), z.number().transform(String)]).pipe(z.string().regex(/^\d{3,4}$/)),
})

/** Parses and validates the JSON of a response. Throws `ProviderUnavailable`, which quotes nothing of the response. */
export function parseResponse<S extends z.ZodType>(response: VeriffResponse, schema: S): z.output<S> {
  const json = parseJson(response.body)
  if (json === undefined) throw foreignResponse(response)
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw invalidResponse('an unreadable response')
  return parsed.data
}

export function invalidResponse(what: string): ProviderUnavailable {
  return new ProviderUnavailable('invalid_response', `Veriff returned ${what}`)
}

/** Undefined for what isn't JSON. A byte order mark is ignored (RFC 8259, section 8.1). */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
