import { quantile } from './quantile.ts'

/** The row that the others are compared with, and in which columns. */
export interface Comparison {
  row: string
  columns: readonly string[]
}

/** What a round measured: for each row of the table the values of its columns. */
export type Round = Record<string, Values>

export type Values = Record<string, number | undefined>

/** Formats rounds as a Markdown table: medians, with minimum and maximum in parentheses. */
export function table(rounds: readonly Round[], comparison?: Comparison): string {
  const columns = listNames(rounds.flatMap(round => Object.values(round)))
  const heads = columns.flatMap(column => listHeads(column, comparison))
  const rows = listNames(rounds).map(row => [row, ...formatCells(rounds, row, columns, comparison)])
  return markdown([['', ...heads], ...rows])
}

interface ComparedResults {
  name: string
  comparison: Comparison
  rounds: readonly Round[]
}

/** One table of the service's cost in all benchmarks that compare it. */
export function summary(results: readonly ComparedResults[]): string {
  const columns = ['all CPU µs', 'per second', 'p50 ms']
  const heads = columns.flatMap(column => listHeads(column, results[0]!.comparison))
  const rows = results.map(({ name, comparison, rounds }) => [
    `\`${name}\``,
    ...formatCells(rounds, 'service', columns, comparison),
  ])
  return markdown([['', ...heads], ...rows])
}

function listNames(all: readonly Record<string, unknown>[]): string[] {
  return [...new Set(all.flatMap(each => Object.keys(each).filter(name => each[name] !== undefined)))]
}

function listHeads(column: string, comparison: Comparison | undefined): string[] {
  return comparison?.columns.includes(column) ? [column, `× ${comparison.row}`] : [column]
}

function formatCells(
  rounds: readonly Round[],
  row: string,
  columns: readonly string[],
  comparison: Comparison | undefined,
): string[] {
  return columns.flatMap(column => {
    const cell = spread(rounds.map(round => round[row]?.[column]))
    if (!comparison?.columns.includes(column)) return [cell]
    // Both values of a round were measured under the same conditions.
    const ratios = rounds.map(round => round[row]![column]! / round[comparison.row]![column]!)
    return [cell, quantile(ratios, 0.5).toFixed(2)]
  })
}

function spread(values: readonly (number | undefined)[]): string {
  const known = values.filter(value => value !== undefined)
  if (known.length === 0) return '–'
  const [min, middle, max] = [0, 0.5, 1].map(share => short(quantile(known, share)))
  return min === max ? middle! : `${middle} (${min}–${max})`
}

/** Three digits, or a whole number. */
function short(value: number): string {
  if (Number.isInteger(value) || value >= 1000) return Math.round(value).toLocaleString('en')
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}

/** The first row has the headings. */
function markdown([heads, ...rows]: string[][]): string {
  const widths = heads!.map((_, column) => Math.max(...[heads!, ...rows].map(row => row[column]!.length)))
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(heads!), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
