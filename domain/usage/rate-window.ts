import type { RateWindow } from '../ports.ts'

/** The length of every fixed window, in milliseconds. */
export const windowMs = 60_000

/** The window that a moment lies in, as its number since the epoch. */
export function windowNumber(now: Date): number {
  return Math.floor(now.getTime() / windowMs)
}

/** A window after its `count`th request. */
export function rateWindow(count: number, limit: number, now: Date): RateWindow {
  return {
    limit,
    remaining: Math.max(0, limit - count),
    resetsAt: new Date((windowNumber(now) + 1) * windowMs),
    exceeded: count > limit,
  }
}
