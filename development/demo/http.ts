import { STATUS_CODES } from 'node:http'
import type { ZodType } from 'zod'
import { DemoAssertionError, expect } from './demo-assertion-error.ts'
import type { Screen } from './screen.ts'

export interface HttpResponse {
  status: number
  headers: Headers
  text: string
  /** Undefined if the body is not JSON. */
  json: unknown
}

interface HttpRequest {
  /** Printed, except for the API key. */
  headers?: Record<string, string>
  json?: unknown
  form?: Record<string, string>
}

const timeoutMs = 10_000

/** Sends a request without printing it. Throws a `DemoAssertionError` if there is no response. */
export async function send(
  method: string,
  url: string,
  { headers = {}, json, form }: HttpRequest = {},
): Promise<HttpResponse> {
  const body = form ? formText(form) : json === undefined ? null : JSON.stringify(json)
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method, headers, body, redirect: 'manual', signal })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parseJson(text) }
  } catch (error) {
    const { cause, message } = error as Error
    throw new DemoAssertionError(
      `${method} ${url} got no response: ${cause instanceof Error ? cause.message : message}`,
    )
  }
}

/** Sends a request, and prints it and the response. Throws a `DemoAssertionError` unless the status is as expected. */
export async function exchange(
  screen: Screen,
  expected: number,
  method: string,
  url: string,
  request: HttpRequest = {},
): Promise<HttpResponse> {
  const { pathname, search, host } = new URL(url)
  screen.request(
    `${method} ${pathname}${search}`,
    { host, ...masked(request.headers ?? {}) },
    request.form ? formText(request.form) : request.json,
  )
  const begin = performance.now()
  const response = await send(method, url, request)
  const line = `${response.status} ${STATUS_CODES[response.status] ?? ''}  ${Math.round(performance.now() - begin)} ms`
  screen.response(line, printedHeaders(response.headers), response.json)
  expect(
    response.status === expected,
    `${method} ${pathname} responded ${response.status}, expected ${expected}: ${response.text.slice(0, 300)}`,
  )
  return response
}

/** Returns the value in the expected shape. Throws a `DemoAssertionError` that names `source` and the differences. */
export function parseAs<Shape>(shape: ZodType<Shape>, value: unknown, source: string): Shape {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const differences = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'root'}: ${message}`,
  )
  throw new DemoAssertionError(`Unexpected response of ${source} (${differences.join('; ')})`)
}

function formText(form: Record<string, string>): string {
  return String(new URLSearchParams(form))
}

/** A key in a terminal recording is as sensitive as anywhere else. */
function masked(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) =>
    name === 'x-tenant-api-key' ? [name, `${value.slice(0, 12)}…`] : [name, value],
  )
  return Object.fromEntries(entries)
}

const printedNames = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'location', 'retry-after']

function printedHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    printedNames.flatMap(name => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])),
  )
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
