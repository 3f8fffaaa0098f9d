import type { ProviderUnavailable } from '../ports.ts'

const minute = 60
const hour = 60 * minute

/** Seconds until the next poll, after the first, second, … one without a decision; the last again and again. */
const delaysSeconds = [5, 10, 20, minute, 5 * minute, 15 * minute, hour, 4 * hour, 16 * hour, 24 * hour]

/**
 * Milliseconds until the next attempt, at most, when the provider was unavailable and named no delay. Less than the hour for
 * which failures have to last before an alert.
 */
const retryMsMax = 50 * minute * 1000

/**
 * How polling begins: an hour after the start, in case callbacks are lost, with the delays that follow the one of an hour;
 * and immediately with the first delay when the tenant submits.
 */
export const pollingAfterStart = { delayMs: hour * 1000, attempts: delaysSeconds.indexOf(hour) + 1 }

/** When the provider is polled again after a poll without a decision, and that many before it. */
export function nextPollAt(attempts: number, polledAt: Date, unavailable?: ProviderUnavailable): Date {
  const delayMs = 1000 * (delaysSeconds[attempts] ?? delaysSeconds.at(-1)!)
  const retryMs = Math.max(Math.min(delayMs, retryMsMax), unavailable?.retryAfterMs ?? 0)
  return new Date(polledAt.getTime() + (unavailable ? retryMs : delayMs))
}
