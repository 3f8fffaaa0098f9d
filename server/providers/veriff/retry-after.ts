import type { VeriffResponse } from './send-request.ts'

/** Veriff publishes no rate and no delay, so a 429 that names none means a few seconds. */
const defaultMs = 5_000
const minMs = 1_000
const maxMs = 3_600_000

/** How long to send no requests, after 429, and after 503 that says so (RFC 9110, section 10.2.3). */
export function readRetryAfterMs({ status, headers }: VeriffResponse, now: Date): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const text = [headers['retry-after'] ?? []].flat()[0]?.trim()
  if (text === undefined) return status === 429 ? defaultMs : undefined
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - now.getTime()
  return Number.isNaN(ms) ? defaultMs : Math.min(Math.max(ms, minMs), maxMs)
}

/** The three forms of RFC 9110, section 5.6.7; the last one is UTC, too. Other text, which `Date.parse` may take, is NaN. */
function parseHttpDate(text: string): number {
  if (/^(\w{3}, \d\d \w{3} \d{4}|\w{6,9}, \d\d-\w{3}-\d\d) \d\d:\d\d:\d\d GMT$/.test(text)) {
    return Date.parse(text)
  }
  if (/^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(text)) return Date.parse(`${text} GMT`)
  return Number.NaN
}
