import { styleText } from 'node:util'
import type { Terminal } from '../terminal.ts'
import { cell, label } from './cell.ts'

export type Row = Record<string, unknown>

/** Rows with the same fields below a heading, each column as wide as it needs; numbers stand to the right. */
export function table(rows: Row[], stream: Terminal): string {
  const fields = Object.keys(rows[0] ?? {})
  const columns = fields.map(field => {
    const cells = rows.map(row => cell(row[field]))
    const width = Math.max(label(field).length, ...cells.map(text => text.length))
    const pad = rows.every(row => typeof row[field] === 'number') ? 'padStart' : 'padEnd'
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
