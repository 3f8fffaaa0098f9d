const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A UTC day, YYYY-MM-DD, as 20 Nov. */
export function formatDay(day: string): string {
  return short.format(new Date(`${day}T00:00:00Z`))
}
