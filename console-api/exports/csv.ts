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
  const text = value.replaceAll(formulaStart, "'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Where a spreadsheet would begin to execute text: at the beginning of a field, and after what separates cells for one whose
 * list separator is a semicolon or a tab. Such a spreadsheet doesn't heed quotes that open a field after a comma. East Asian
 * ones also take full-width signs.
 */
const formulaStart = /(?<=^|[;\t\r\n])(?=[\p{Zs}"]*[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu
