/** `npm run bench`: measures what requests cost, and compares the hot paths with a minimal implementation, the floor. */
import { allBenchmarks } from './all-benchmarks.ts'
import { openServers } from './fixture/open-servers.ts'
import { readCommandLine } from './options.ts'
import { summary } from './report/table.ts'
import { openRunner } from './run-benchmark.ts'

// Servers stop with the process that started them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const { options, selected } = readCommandLine(process.argv.slice(2), allBenchmarks)
await using closing = new AsyncDisposableStack()
const servers = closing.adopt(await openServers(), opened => opened.close())
const runner = closing.adopt(openRunner(servers, options), opened => opened.close())
const compared = []
for (const benchmark of selected) {
  const rounds = await runner.run(benchmark)
  const { name, comparison } = benchmark
  if (comparison) compared.push({ name, comparison, rounds })
}
if (compared.length > 1) console.log(summary(compared))
