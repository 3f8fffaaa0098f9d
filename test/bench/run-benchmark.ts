import { join } from 'node:path'
import type { BenchContext, Benchmark } from './benchmark.ts'
import { startChild } from './children/start-child.ts'
import { startServer } from './children/start-server.ts'
import type { Fixture } from './fixture/fixture.ts'
import type { BenchOptions } from './options.ts'
import { describeConditions } from './report/conditions.ts'
import { type Round, table } from './report/table.ts'

/** Prints the table of a benchmark. Returns its rounds. */
export async function runBenchmark(
  benchmark: Benchmark,
  fixture: Fixture,
  commandLine: BenchOptions,
): Promise<Round[]> {
  const { name, description, comparison, connections = commandLine.connections } = benchmark
  const options = { ...commandLine, connections }
  const rounds = await measure(benchmark, fixture, options)
  const conditions = await describeConditions(fixture, options)
  console.log(`# ${name}\n\n${description}\n\n${conditions}.\n\n${table(rounds, comparison)}\n`)
  return rounds
}

async function measure(benchmark: Benchmark, fixture: Fixture, options: BenchOptions): Promise<Round[]> {
  await using closing = new AsyncDisposableStack()
  const context: BenchContext = {
    fixture,
    options,
    start: async server => closing.adopt(await startServer(server), started => started.close()),
    startLoad: (name = 'closed-loop') => {
      const program = join(import.meta.dirname, `load/${name}.ts`)
      return closing.adopt(startChild({ program, folder: fixture.folder }), started => started.close())
    },
  }
  const measureRound = await benchmark.prepare(context)
  const rounds: Round[] = []
  for (let number = 1; number <= options.rounds; number++) {
    process.stderr.write(`${benchmark.name}: round ${number} of ${options.rounds}\n`)
    rounds.push(await measureRound())
  }
  return rounds
}
