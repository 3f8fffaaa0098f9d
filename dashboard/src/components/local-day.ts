/** A day as `YYYY-MM-DD`; undefined for any other text. */
export function parseDay(text: string | null): string | undefined {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined
}

/** What days are in: UTC, or the user's time zone. */
export type Zone = 'local' | 'utc'

/** The midnight with which a day begins, or one `daysLater`, as ISO 8601. */
export function midnight(day: string, daysLater = 0, zone: Zone = 'local'): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const parts = [year, month - 1, date + daysLater] as const
  return (zone === 'utc' ? new Date(Date.UTC(...parts)) : new Date(...parts)).toISOString()
}
