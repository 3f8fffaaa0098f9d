import { AgeVerificationError, ServiceConnectionError } from './errors.ts'
import { assertCount, assertMilliseconds } from './options.ts'

export interface RetryOptions {
  /** Retries after the first attempt; 2 by default. */
  retriesMax?: number | undefined
  /** Before the first retry, in milliseconds; doubled for each further one. 500 by default. */
  delayMs?: number | undefined
  /** A longer delay is not waited for, not even a `Retry-After`; 10,000 by default. */
  delayMsMax?: number | undefined
}

/** The number of retries, or how they are made. */
export type Retries = number | RetryOptions

export type RetryPolicy = { [Option in keyof RetryOptions]-?: number }

/** As long as HTTP's other delays in seconds can be (RFC 9111). */
const secondsMax = 2 ** 31 - 1

const defaults: RetryPolicy = { retriesMax: 2, delayMs: 500, delayMsMax: 10_000 }

/** What is not given is that of `base`. Throws a `TypeError` if a value can't be used. */
export function retryPolicy(retries: Retries = {}, base: RetryPolicy = defaults): RetryPolicy {
  const given: RetryOptions = typeof retries === 'object' ? retries : { retriesMax: retries }
  const policy = {
    retriesMax: given.retriesMax ?? base.retriesMax,
    delayMs: given.delayMs ?? base.delayMs,
    delayMsMax: given.delayMsMax ?? base.delayMsMax,
  }
  assertCount('retries', policy.retriesMax)
  assertMilliseconds('retries.delayMs', policy.delayMs)
  assertMilliseconds('retries.delayMsMax', policy.delayMsMax)
  return policy
}

/** How long to wait before the next attempt, in milliseconds; undefined if there should be none. */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  { retriesMax, delayMs, delayMsMax }: RetryPolicy,
): number | undefined {
  if (attempt > retriesMax || !isTransient(error)) return undefined
  if (error.retryAfterSeconds === undefined) {
    return Math.min(delayMs * 2 ** (attempt - 1), delayMsMax) * (0.5 + Math.random() / 2)
  }
  const askedMs = error.retryAfterSeconds * 1000
  return askedMs <= delayMsMax ? askedMs + Math.random() * delayMs : undefined
}

/**
 * In seconds, of which the service sends a whole number; a proxy can send a date. Undefined if it is neither, so that the
 * delay is the client's own.
 */
export function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Math.min(Number(header), secondsMax)
  const date = Date.parse(header)
  // A year has four digits.
  const isDate = header.length === 29 && !Number.isNaN(date) && new Date(date).toUTCString() === header
  return isDate ? Math.max(0, (date - Date.now()) / 1000) : undefined
}

/** Whether a repetition can succeed soon. A quota's month does not end soon, although it is a 429, too. */
export function isTransient(error: unknown): error is AgeVerificationError | ServiceConnectionError {
  if (error instanceof AgeVerificationError)
    return isTransientStatus(error.status) || error.code === 'RATE_LIMIT_EXCEEDED'
  if (!(error instanceof ServiceConnectionError)) return false
  return error.status === undefined || error.status === 429 || isTransientStatus(error.status)
}

/** 408 and 425 say that the request was not worked on. */
function isTransientStatus(status: number): boolean {
  return status >= 500 || status === 408 || status === 425
}
