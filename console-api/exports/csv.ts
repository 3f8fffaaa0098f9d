/** A field of a CSV file; null is an empty one. */
export type CsvField = string | number | boolean | Date | null

/** One record of RFC 4180, with its line break. Times are ISO 8601 in UTC. */
export function csvRecord(fields: readonly CsvField[]): string {
  return `${fields.map(fieldOf).join(',')}\r\n`
}

function fieldOf(value: CsvField): string {
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'string') return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Text that a spreadsheet would execute. */
const formula = /^[=+\-@\t\r]/
