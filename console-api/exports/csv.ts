/** A field of a CSV file; null is an empty one. */
export type CsvField = string | number | boolean | Date | null

/** Of a chunk, in characters. */
const chunkLengthMin = 16 * 1024

/** A CSV file with a header line, in chunks. Of each record, the properties that are named as columns. */
export async function* csvFile(
  columns: readonly string[],
  records: AsyncIterable<Readonly<Record<string, CsvField>>>,
): AsyncGenerator<string, void> {
  let chunk = csvRecord(columns)
  for await (const record of records) {
    chunk += csvRecord(columns.map(column => record[column] ?? null))
    if (chunk.length < chunkLengthMin) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** One record of RFC 4180, with its line break. Times are ISO 8601 in UTC. */
export function csvRecord(fields: readonly CsvField[]): string {
  return `${fields.map(toField).join(',')}\r\n`
}

function toField(value: CsvField): string {
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
