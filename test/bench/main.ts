/** `npm run bench`: compares the hot paths with a minimal implementation, the floor. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BenchResults } from './benchmark.ts'
import { benchmarks, furtherBenchmarks, programs } from './benchmarks.ts'
import { openFixture } from './fixture/open-fixture.ts'
import { openServers } from './fixture/open-servers.ts'
import { type BenchOptions, readOptions, usage } from './options.ts'
import { machine } from './report/machine.ts'
import { showProgress } from './report/progress.ts'
import { saveResults, saveSummary } from './report/save.ts'
import { summary } from './report/summary.ts'

// Servers stop with the process that started them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const namesOf = (named: readonly { name: string }[]) => named.map(({ name }) => name)
const names = {
  benchmarks: namesOf(benchmarks),
  furtherBenchmarks: namesOf(furtherBenchmarks),
  programs,
}
const options = optionsOrUsage()
await runBenchmarks(options)
for (const name of programs.filter(program => options.names.includes(program))) await run(name)

function optionsOrUsage(): BenchOptions {
  try {
    const read = readOptions(process.argv.slice(2), names)
    if (read) return read
    console.log(usage(names))
    process.exit(0)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage(names)}`)
    process.exit(2)
  }
}

async function runBenchmarks(options: BenchOptions): Promise<void> {
  const all = [...benchmarks, ...furtherBenchmarks]
  const selected = all.filter(({ name }) => options.names.includes(name))
  if (selected.length === 0) return
  await using closing = new AsyncDisposableStack()
  const servers = closing.adopt(await openServers(), opened => opened.close())
  const fixture = closing.adopt(await openFixture({ ...options, servers }), opened => opened.close())
  const conditions = await machine(fixture, options)
  console.log(`${conditions}\n`)
  const steps = selected.map(({ name, durationSeconds }) => ({ name, seconds: durationSeconds(options) }))
  const progress = showProgress(steps, options.rounds, process.stderr)
  const context = { servers, fixture, options, onRound: progress.round }
  const results = new Map<string, BenchResults>()
  for (const benchmark of selected) {
    const { name, description, connections = options.connections } = benchmark
    progress.begin()
    const result = await benchmark.run(context)
    results.set(name, result)
    progress.clear()
    console.log(`# ${name}\n\n${description}\n\n${result.table}\n`)
    if (options.save) {
      const conditions = await machine(fixture, { ...options, connections })
      await saveResults({ name, description, conditions, table: result.table })
    }
  }
  const rows = [...results.values()].map(result => result.summary).filter(row => row !== undefined)
  if (rows.length > 0) console.log(`${summary(rows)}\n`)
  if (options.save && results.size === benchmarks.length) await saveSummary(conditions, results)
}

async function run(program: string): Promise<void> {
  const file = join(import.meta.dirname, `${program}.ts`)
  const [code] = await once(spawn(process.execPath, [file], { stdio: 'inherit' }), 'exit')
  if (code !== 0) process.exitCode = 1
}
