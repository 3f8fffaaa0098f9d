/** A day as `YYYY-MM-DD`; undefined for any other text. */
export function parseDay(text: string | null): string | undefined {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined
}

/** The midnight with which a day begins in the user's time zone, or one `daysLater`, as ISO 8601. */
export function localMidnight(day: string, daysLater = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}
