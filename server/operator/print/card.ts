import { styleText } from 'node:util'
import type { Terminal } from '../terminal.ts'
import { cell, label } from './cell.ts'
import type { Row } from './table.ts'

/** One field a line, aligned; the names are dimmed on a terminal. */
export function card(fields: Row, stream: Terminal): string {
  const entries = Object.entries(fields).map(([field, value]) => [label(field), cell(value)] as const)
  const width = Math.max(...entries.map(([name]) => name.length))
  const lines = entries.map(
    ([name, value]) => `${styleText('dim', name.padEnd(width), { stream })}  ${value}`,
  )
  return `${lines.join('\n')}\n`
}
