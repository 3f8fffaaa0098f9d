import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchResults } from '../benchmark.ts'
import { summary } from './summary.ts'

export interface SavedResults {
  name: string
  description: string
  conditions: string
  table: string
}

/** Writes the results of one benchmark to `test/bench/results`. */
export async function saveResults({ name, description, conditions, table }: SavedResults): Promise<void> {
  await save(name, `# ${name}\n\n${description}\n\n${today()}, ${conditions}.\n\n${table}\n`)
}

/** Writes the table of all scenarios, and below it the tables of the other benchmarks. */
export async function saveSummary(
  conditions: string,
  results: ReadonlyMap<string, BenchResults>,
): Promise<void> {
  const rows = [...results.values()].map(result => result.summary).filter(row => row !== undefined)
  const others = [...results].filter(([, result]) => !result.summary)
  const sections = others.map(([name, { table }]) => `## ${name}\n\n${table}\n`)
  const introduction = `${today()}, ${conditions}; medians, with minimum and maximum in parentheses.`
  await save('README', ['# Results\n', `${introduction}\n`, `${summary(rows)}\n`, ...sections].join('\n'))
}

async function save(name: string, text: string): Promise<void> {
  const folder = join(import.meta.dirname, '../results')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.md`), text)
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
