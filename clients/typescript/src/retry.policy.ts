import { AgeVerificationError, ServiceConnectionError } from './errors.ts'

export interface RetryOptions {
  /** Retries after the first attempt; 2 by default. */
  retriesMax?: number | undefined
  /** Before the first retry, in milliseconds; doubled for each further one. 500 by default. */
  delayMs?: number | undefined
  /** A longer delay is not waited for, not even a `Retry-After`; 10,000 by default. */
  delayMsMax?: number | undefined
}

export type RetryPolicy = { [Option in keyof RetryOptions]-?: number }

export function retryPolicy({
  retriesMax = 2,
  delayMs = 500,
  delayMsMax = 10_000,
}: RetryOptions): RetryPolicy {
  return { retriesMax, delayMs, delayMsMax }
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

/** Whether a repetition can succeed soon. A quota's month does not end soon, although it is a 429, too. */
export function isTransient(error: unknown): error is AgeVerificationError | ServiceConnectionError {
  if (error instanceof AgeVerificationError)
    return error.status >= 500 || error.code === 'RATE_LIMIT_EXCEEDED'
  if (!(error instanceof ServiceConnectionError)) return false
  return error.status === undefined || error.status >= 500 || error.status === 429
}
