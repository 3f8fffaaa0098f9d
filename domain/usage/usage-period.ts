/** The first day of the UTC month, `YYYY-MM-01`, under which a month's starts are counted. */
export function toMonth(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`
}

/** The end of the UTC month, when usage resets. */
export function monthEnd(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}

/** The UTC day, `YYYY-MM-DD`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

export const dayMs = 24 * 60 * 60 * 1000

/** The UTC day that is a number of days later, or earlier. */
export function addDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * dayMs))
}

/** Whole seconds until a time, at least 1: the value of `Retry-After`. */
export function secondsUntil(time: Date, now: Date): number {
  return Math.max(1, Math.ceil((time.getTime() - now.getTime()) / 1000))
}
