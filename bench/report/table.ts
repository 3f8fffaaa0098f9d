import type { Figures, Measured } from '../measure.ts'
import { quantile } from './quantile.ts'

/** The figures of a scenario's contenders as a Markdown table: medians, with least and most in parentheses. */
export function table(measured: readonly Measured[]): string {
  const floor = measured.find(({ contender }) => contender === 'floor')!.rounds
  const rows = measured.map(({ contender, rounds }) => [
    contender,
    spread(rounds, ({ requestsPerSecond }) => requestsPerSecond),
    ratio(rounds, floor, ({ requestsPerSecond }) => requestsPerSecond),
    spread(rounds, ({ cpuUs }) => cpuUs),
    ratio(rounds, floor, ({ cpuUs }) => cpuUs),
    spread(rounds, ({ postgresUs }) => postgresUs),
    spread(rounds, ({ redisUs }) => redisUs),
    middle(rounds, ({ p50Ms }) => p50Ms),
    middle(rounds, ({ p99Ms }) => p99Ms),
  ])
  return markdown([headings, ...rows])
}

const headings = [
  'contender',
  'requests/s',
  '× floor',
  'CPU µs/request',
  '× floor',
  'PostgreSQL CPU µs/request',
  'Redis CPU µs/request',
  'p50 ms',
  'p99 ms',
]

type Figure = (figures: Figures) => number | undefined

function spread(rounds: Figures[], figure: Figure): string {
  const values = rounds.map(figure).filter(value => value !== undefined)
  if (values.length === 0) return '–'
  const [least, median, most] = [0, 0.5, 1].map(share => short(quantile(values, share)))
  return `${median} (${least}–${most})`
}

/** The median of the rounds' ratios: the two of a round met the same machine. */
function ratio(rounds: Figures[], floor: Figures[], figure: Figure): string {
  const ratios = rounds.map((figures, round) => figure(figures)! / figure(floor[round]!)!)
  return quantile(ratios, 0.5).toFixed(2)
}

function middle(rounds: Figures[], figure: (figures: Figures) => number): string {
  return quantile(rounds.map(figure), 0.5).toFixed(2)
}

function short(value: number): string {
  return value < 1000 ? value.toFixed(value < 100 ? 1 : 0) : Math.round(value).toLocaleString('en')
}

function markdown([head, ...rows]: string[][]): string {
  const widths = head!.map((_, column) => Math.max(...[head!, ...rows].map(row => row[column]!.length)))
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(head!), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
