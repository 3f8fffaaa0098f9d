/** The first day of the UTC month, `YYYY-MM-01`: the name under which a month's starts are counted. */
export function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`
}

/** When the UTC month ends, and the next one's quota begins. */
export function monthEnd(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}

/** The UTC day, `YYYY-MM-DD`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}
