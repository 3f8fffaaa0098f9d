import { card } from './print/card.ts'
import { type Row, table } from './print/table.ts'
import type { Terminal } from './terminal.ts'

/** What a command answers: JSON for scripts, text for people. */
export interface Answer {
  json: unknown
  text(stream: Terminal): string
}

/** One thing, its fields below each other. `hint` tells people what comes next. */
export function one(fields: Row, hint?: string): Answer {
  return { json: fields, text: stream => card(fields, stream) + (hint ? `\n${hint}\n` : '') }
}

/** A list, as a table. `none` is what people read when it is empty. */
export function many(rows: Row[], none: string): Answer {
  return { json: rows, text: stream => (rows.length > 0 ? table(rows, stream) : `${none}\n`) }
}
