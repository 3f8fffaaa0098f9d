/** `npm run bench`: measures what the hot paths cost, and compares requests with a bare server, the floor. */
import { allBenchmarks } from './all-benchmarks.ts'
import { openFixture } from './fixture/open-fixture.ts'
import { openServers } from './fixture/open-servers.ts'
import { readCommandLine } from './options.ts'
import { summary } from './report/table.ts'
import { runBenchmark } from './run-benchmark.ts'

// Servers stop with the process that started them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const { options, selected } = readCommandLine(process.argv.slice(2), allBenchmarks)
await using closing = new AsyncDisposableStack()
const servers = closing.adopt(await openServers(), opened => opened.close())
const { tenants } = options
const fixture = closing.adopt(await openFixture({ servers, tenants }), opened => opened.close())
const compared = []
for (const benchmark of selected) {
  const rounds = await runBenchmark(benchmark, fixture, options)
  const { name, comparison } = benchmark
  if (comparison) compared.push({ name, comparison, rounds })
}
if (compared.length > 1) console.log(summary(compared))
