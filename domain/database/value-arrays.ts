import { arrayOf, type SqlTypes, text } from './sql-types.ts'
import type { StatementPool } from './statement.ts'

/** Runs one statement over `unnest(…) with ordinality` for several items. Most have a row each. */
export type StatementForEach<Item, Row extends PositionedRow> = (
  pool: StatementPool,
  items: readonly Item[],
) => Promise<readonly Row[]>

export interface PositionedRow {
  /** Of the item that the row was found or written for, from 1. */
  position: number
}

/** The types of arrays that hold one value for each of several rows. A value that is an array itself is text in it. */
export function arrayTypes(types: SqlTypes): SqlTypes {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, arrayOf(type.name.endsWith('[]') ? text : type)]),
  )
}

/** The rows of these arrays in a statement: `w`, with a column for each value, and `position`, from 1. */
export function valueRows(types: SqlTypes): string {
  const names = Object.keys(types)
  return `unnest(${names.map(name => `:${name}`).join(', ')})
       with ordinality as w (${names.map(toSnakeCase).join(', ')}, position)`
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** The values of several rows as one array for each name. */
export function toArrays<Row extends object>(
  names: readonly string[],
  rows: readonly Row[],
): Record<string, unknown[]> {
  const valuesOf = (name: string) => rows.map(row => toElement(row[name as keyof Row]))
  return Object.fromEntries(names.map(name => [name, valuesOf(name)]))
}

/** The rows of a statement at the places of what they were found or written for. */
export function atPositions<Row extends PositionedRow>(
  rows: readonly Row[],
  count: number,
): (Row | undefined)[] {
  const placed = new Array<Row | undefined>(count).fill(undefined)
  for (const row of rows) placed[row.position - 1] = row
  return placed
}

/** PostgreSQL has no arrays of arrays of different lengths. */
function toElement(value: unknown): unknown {
  return Array.isArray(value) ? `{${value.map(quoted).join()}}` : value
}

function quoted(element: string): string {
  return `"${element.replace(/["\\]/g, '\\$&')}"`
}
