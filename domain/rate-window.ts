/** A fixed window of one minute, after a request was counted in it. */
export interface RateWindow {
  /** Requests allowed in the window. */
  limit: number
  /** Requests left in the window, never below 0. */
  remaining: number
  /** When the window ends. */
  resetsAt: Date
  /** Whether the counted request was over the limit. */
  exceeded: boolean
}

/** The length of every fixed window, in milliseconds. */
export const windowMs = 60_000

/** The number of the window that contains `now`, counted from the epoch. */
export function windowNumber(now: Date): number {
  return Math.floor(now.getTime() / windowMs)
}

/** When the window that contains `now` ends. */
export function windowEnd(now: Date): Date {
  return new Date((windowNumber(now) + 1) * windowMs)
}

/** The state of a window after its `count`th request. */
export function rateWindow(count: number, limit: number, now: Date): RateWindow {
  return {
    limit,
    remaining: Math.max(0, limit - count),
    resetsAt: windowEnd(now),
    exceeded: count > limit,
  }
}
