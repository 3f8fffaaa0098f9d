import { STATUS_CODES } from 'node:http'
import { DemoAssertionError, expect } from './demo-assertion-error.ts'
import type { Screen } from './screen.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** Undefined where the body is no JSON. */
  json: unknown
}

interface Call {
  /** Shown as it is, but for the key. */
  headers?: Record<string, string>
  json?: unknown
  form?: Record<string, string>
}

const answerMsMax = 10_000

/** Sends a request without showing it. Throws a `DemoAssertionError` when nobody answers. */
export async function send(
  method: string,
  url: string,
  { headers = {}, json, form }: Call = {},
): Promise<Answer> {
  const body = form ? String(new URLSearchParams(form)) : json === undefined ? null : JSON.stringify(json)
  try {
    const signal = AbortSignal.timeout(answerMsMax)
    const response = await fetch(url, { method, headers, body, redirect: 'manual', signal })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  } catch (error) {
    const { cause, message } = error as Error
    throw new DemoAssertionError(
      `${method} ${url} got no answer: ${cause instanceof Error ? cause.message : message}`,
    )
  }
}

/** Sends a request and shows it and its answer. Throws a `DemoAssertionError` for any other status than the expected one. */
export async function exchange(
  screen: Screen,
  expected: number,
  method: string,
  url: string,
  call: Call = {},
): Promise<Answer> {
  const { pathname, search, host } = new URL(url)
  screen.sent(
    `${method} ${pathname}${search}`,
    { host, ...masked(call.headers ?? {}) },
    call.json ?? call.form,
  )
  const begun = performance.now()
  const answer = await send(method, url, call)
  const line = `${answer.status} ${STATUS_CODES[answer.status] ?? ''}  ${Math.round(performance.now() - begun)} ms`
  screen.came(line, headersThatMatter(answer.headers), answer.json)
  expect(
    answer.status === expected,
    `${method} ${pathname} answered ${answer.status} where ${expected} was expected: ${answer.text.slice(0, 300)}`,
  )
  return answer
}

/** A key is worth as much in a recording of the terminal as anywhere else. */
function masked(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) =>
    name === 'x-tenant-api-key' ? [name, `${value.slice(0, 12)}…`] : [name, value],
  )
  return Object.fromEntries(entries)
}

const shown = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'location', 'retry-after']

function headersThatMatter(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    shown.flatMap(name => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
