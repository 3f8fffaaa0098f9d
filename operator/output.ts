import { once } from 'node:events'
import { styleText } from 'node:util'
import { printable } from './printable.ts'

/** Where text is written: a person's terminal, or a script. */
export type Terminal = NodeJS.WritableStream & { isTTY?: boolean }

/** The output of a command: JSON for scripts, text for people. */
export interface Output {
  json: unknown
  /** 0 unless given. */
  exitCode?: 0 | 1
  text(stream: Terminal): string
}

/** Output too large to be held: printed item by item, as JSON Lines, or as one JSON array for scripts. */
export interface Streamed {
  items: AsyncIterable<unknown>
}

/** One object, one field per line. `hint` suggests the next step to people. */
export function record(fields: object, hint?: string): Output {
  return { json: fields, text: stream => card(fields, stream) + (hint ? `\n${hint}\n` : '') }
}

/**
 * A list, as a table. `emptyText` is shown to people when there are no rows, and how to get the next page if there is one:
 * to scripts, the id of the last row is the cursor.
 */
export function list(rows: object[], emptyText: string, nextCursor: string | null = null): Output {
  const hint = nextCursor === null ? '' : `\nThere are more: --after ${nextCursor}\n`
  return {
    json: rows,
    text: stream => (rows.length > 0 ? table(rows, stream) + hint : `${emptyText}\n`),
  }
}

/** As JSON: times in ISO 8601, and null for what is undefined. */
export function toJson(value: unknown): string {
  return printable(JSON.stringify(value, (_, field) => field ?? null))
}

/** Writes items as they are read: one per line, and as one JSON array if `isArray`. Waits while `out` is full. */
export async function printItems(
  items: AsyncIterable<unknown>,
  isArray: boolean,
  out: Terminal,
): Promise<void> {
  let separator = isArray ? '[' : ''
  for await (const item of items) {
    const hasRoom = out.write(`${separator}${toJson(item)}`)
    separator = isArray ? ',' : '\n'
    if (!hasRoom) await once(out, 'drain')
  }
  if (isArray) out.write(separator === '[' ? '[]\n' : ']\n')
  else if (separator !== '') out.write('\n')
}

/** Several parts with an empty line between them for people, one value for scripts. */
export function sections(json: unknown, parts: readonly Output[]): Output {
  return { json, text: stream => parts.map(part => part.text(stream)).join('\n') }
}

/** Aligned fields; the names are dimmed on a terminal. */
function card(fields: object, stream: Terminal): string {
  const entries = Object.entries(fields).map(([field, value]) => [label(field), cell(value)] as const)
  const width = Math.max(...entries.map(([name]) => name.length))
  const lines = entries.map(
    ([name, value]) => `${styleText('dim', name.padEnd(width), { stream })}  ${value}`,
  )
  return `${lines.join('\n')}\n`
}

/** Rows with the same fields, below a heading. Columns fit their content; numbers are right-aligned. */
function table(rows: object[], stream: Terminal): string {
  const fields = Object.keys(rows[0] ?? {})
  const columns = fields.map(field => {
    const values = rows.map(row => (row as Record<string, unknown>)[field])
    const cells = values.map(cell)
    const width = Math.max(label(field).length, ...cells.map(text => text.length))
    const pad = values.every(value => typeof value === 'number') ? 'padStart' : 'padEnd'
    return { heading: label(field)[pad](width), cells: cells.map(text => text[pad](width)) }
  })
  const heading = columns.map(column => column.heading).join('  ')
  const lines = rows.map((_, index) =>
    columns
      .map(column => column.cells[index])
      .join('  ')
      .trimEnd(),
  )
  return `${styleText('bold', heading.trimEnd(), { stream })}\n${lines.join('\n')}\n`
}

/** A value for people; a dash for an empty one. */
function cell(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '-'
  if (Array.isArray(value)) return value.map(cell).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value instanceof Date) return value.toISOString()
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** `rateLimitPerMinute` becomes `Rate limit per minute`. */
function label(field: string): string {
  const words = field.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
