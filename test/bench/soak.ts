/**
 * Measures the memory of a process over time: one API process at a steady rate, by default for 30 minutes at 70 % of the
 * capacity that `overload` finds. `node test/bench/soak.ts REQUESTS_PER_SECOND [MINUTES]`
 */
import { join } from 'node:path'
import { startChild } from './children/start-child.ts'
import { startServer } from './children/start-server.ts'
import { mixedRequests } from './fixture/mixed-requests.ts'
import { openFixture } from './fixture/open-fixture.ts'
import type { OpenLoopOrder, OpenLoopReport } from './load/open-loop.ts'

const [perSecond = 300, minutes = 30] = process.argv.slice(2).map(Number)

const fixture = await openFixture({ tenants: 100 })
await using closing = new AsyncDisposableStack()
closing.defer(() => fixture.close())
const { env, folder } = fixture
const service = await startServer({
  program: join(import.meta.dirname, '../../server/main.ts'),
  env,
  folder,
  healthPath: '/health/live',
})
closing.defer(() => service.close())
const load = startChild({ program: join(import.meta.dirname, 'load/open-loop.ts'), folder })
closing.defer(() => load.close())
const requests = await mixedRequests(fixture)

const rows = []
for (let minute = 1; minute <= minutes; minute++) {
  const clients = [{ requests, perSecond, connections: 200 }]
  const order: OpenLoopOrder = { origin: service.origin, seconds: 60, clients }
  const [report] = await load.request<OpenLoopReport[]>(order)
  const { due, served, shed, failed, p99Ms } = report!
  const memory = (await service.memory()).residentBytes / 1024 ** 2
  rows.push({ minute, due, served, shed, failed, 'p99 ms': p99Ms?.toFixed(1), 'RSS MiB': memory.toFixed(0) })
  console.log(rows.at(-1))
}
console.table(rows)
