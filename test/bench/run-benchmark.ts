import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchContext, Benchmark } from './benchmark.ts'
import { type ChildOptions, startChild } from './children/start-child.ts'
import { startServer } from './children/start-server.ts'
import type { Fixture } from './fixture/fixture.ts'
import { openFixture } from './fixture/open-fixture.ts'
import type { Servers } from './fixture/open-servers.ts'
import type { BenchOptions, CommandLine } from './options.ts'
import { describeConditions } from './report/conditions.ts'
import { type Round, table } from './report/table.ts'

const roundsDefault = 5
const secondsDefault = 1

/** Runs benchmarks one after the other, on the same servers. Prints and saves their tables. */
export function openRunner(servers: Servers, commandLine: CommandLine) {
  const closing = new AsyncDisposableStack()
  const { verifications } = commandLine
  const open = async (database: string, tenants: number): Promise<Fixture> =>
    closing.adopt(await openFixture({ servers, database, tenants, verifications }), each => each.close())
  let shared: Fixture | undefined

  async function run(benchmark: Benchmark): Promise<Round[]> {
    const { name, description, data, comparison, isUsual } = benchmark
    const options = mergeOptions(benchmark, commandLine)
    showProgress(`${name}: preparing`)
    if (!data) shared ??= await open('shared', options.tenants)
    const fixture = data ? await open(name, options.tenants) : shared!
    const rounds = await measure(benchmark, fixture, options)
    const conditions = await describeConditions(fixture, options)
    const text = `# ${name}\n\n${description}\n\n${conditions}.\n\n${table(rounds, comparison)}\n`
    showProgress('')
    console.log(text)
    // The results of the others have conclusions, and are written by hand.
    if (options.save && isUsual) await writeFile(join(import.meta.dirname, `results/${name}.md`), text)
    return rounds
  }

  return { run, close: () => closing.disposeAsync() }
}

function mergeOptions(benchmark: Benchmark, commandLine: CommandLine): BenchOptions {
  return {
    ...commandLine,
    rounds: commandLine.rounds ?? benchmark.rounds ?? roundsDefault,
    seconds: commandLine.seconds ?? benchmark.seconds ?? secondsDefault,
    connections: benchmark.connections ?? commandLine.connections,
    tenants: benchmark.data?.tenants ?? commandLine.tenants,
  }
}

async function measure(benchmark: Benchmark, fixture: Fixture, options: BenchOptions): Promise<Round[]> {
  await using closing = new AsyncDisposableStack()
  const { loadProcessor: processor } = options
  const start = (child: ChildOptions) => closing.adopt(startChild(child), started => started.close())
  const load = { program: join(import.meta.dirname, 'load/main.ts'), folder: fixture.folder }
  const context: BenchContext = {
    fixture,
    options,
    start: async server => closing.adopt(await startServer(server), started => started.close()),
    startChild: start,
    startLoad: () => start(processor === undefined ? load : { ...load, processor }),
  }
  const measureRound = await benchmark.prepare(context)
  const rounds: Round[] = []
  for (let number = 1; number <= options.rounds; number++) {
    showProgress(`${benchmark.name}: round ${number} of ${options.rounds}`)
    rounds.push(await measureRound(number))
  }
  return rounds
}

/** On a terminal in one line that changes. */
function showProgress(text: string): void {
  const { stderr } = process
  if (stderr.isTTY) stderr.write(`\r\x1b[K${text}`)
  else if (text) stderr.write(`${text}\n`)
}
