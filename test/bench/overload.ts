/**
 * Measures what a process that is asked for five times what it can do costs whom: first one of ten tenants asks for that,
 * then all of them together. One API process; PostgreSQL and Redis share the machine with it.
 * `node test/bench/overload.ts [rounds]`
 */
import { join } from 'node:path'
import { callback } from './callback.ts'
import { startChild } from './children/start-child.ts'
import { startServer } from './children/start-server.ts'
import { mixedRequests } from './fixture/mixed-requests.ts'
import { openFixture } from './fixture/open-fixture.ts'
import type { ClosedLoopOrder, ClosedLoopReport } from './load/closed-loop.ts'
import type { OpenLoopClient, OpenLoopOrder, OpenLoopReport } from './load/open-loop.ts'
import { quantile } from './report/quantile.ts'

const rounds = Number(process.argv[2] ?? 3)
const tenantCount = 10
const overloadFactor = 5
const normalShare = 0.7
const seconds = 20
const callbacksPerSecond = 20
/** More than a process works on and keeps in one tenant's queue, as a proxy can have. */
const connectionsOfOne = 2_000
/** After an overload: slices of a second, until one is as fast as before. */
const recoverySecondsMax = 30
/** Who runs where, and the requests per second where they are known; set from outside, as they depend on the machine. */
const { LOAD_PROCESSOR, SERVICE_PROCESSOR, CAPACITY } = process.env

const fixture = await openFixture({ tenants: tenantCount })
await using closing = new AsyncDisposableStack()
closing.defer(() => fixture.close())
const { env, folder } = fixture
const service = await startServer({
  program: join(import.meta.dirname, '../../server/main.ts'),
  // All clients have the load's address, as behind a proxy.
  env: { ...env, TRUST_PROXY: '1', ...pick('MAX_CONCURRENT_REQUESTS') },
  folder,
  healthPath: '/health/live',
  ...pinned(SERVICE_PROCESSOR),
})
closing.defer(() => service.close())
const load = startLoad('open-loop.ts')
const requests = await mixedRequests(fixture)
const requestsOf = fixture.tenants.map(({ apiKey }) =>
  requests.filter(({ headers }) => headers['x-tenant-api-key'] === apiKey),
)

const capacity = CAPACITY ? Number(CAPACITY) : await measureCapacity()
console.log(`capacity ${capacity.toFixed(0)} requests/s (1 start : 3 status), ${tenantCount} tenants`)
const usual = (normalShare * capacity) / tenantCount
const tenant = (index: number, perSecond: number, connections: number): OpenLoopClient => ({
  requests: requestsOf[index]!,
  perSecond,
  connections,
})
const normal = requestsOf.map((_, index) => tenant(index, usual, 20))
const onlyFirst = [tenant(0, overloadFactor * capacity, connectionsOfOne), ...normal.slice(1)]
const everybody = requestsOf.map((_, index) =>
  tenant(index, (overloadFactor * capacity) / tenantCount, connectionsOfOne / tenantCount),
)

await send(normal, 10)
for (let round = 1; round <= rounds; round++) {
  const before = await send(normal, 10)
  const callbacks: OpenLoopClient = {
    requests: await callback.requests(fixture, 2 * callbacksPerSecond * seconds),
    perSecond: callbacksPerSecond,
    connections: 20,
  }
  const storedBefore = await verificationCount()
  const one = await send([...onlyFirst, callbacks])
  const recoveredFromOne = await untilRecovered(before)
  const all = await send([
    ...everybody,
    { ...callbacks, requests: callbacks.requests.slice(callbacksPerSecond * seconds) },
  ])
  const recoveredFromAll = await untilRecovered(before)
  console.log(`round ${round}`)
  console.table({
    'normal, each': summary(before, 10),
    'one at five times: that one': summary(one.slice(0, 1)),
    'one at five times: each of nine others': summary(one.slice(1, tenantCount)),
    'one at five times: callbacks': summary(one.slice(tenantCount)),
    'all at five times: each': summary(all.slice(0, tenantCount)),
    'all at five times: callbacks': summary(all.slice(tenantCount)),
  })
  const served = all.slice(0, tenantCount).map(report => report.served)
  const mean = served.reduce((sum, each) => sum + each) / tenantCount
  const spread = Math.max(...served.map(each => Math.abs(each / mean - 1)))
  const created = [one, recoveredFromOne.reports, all, recoveredFromAll.reports]
    .flat()
    .map(report => report.created)
  const stored = (await verificationCount()) - storedBefore
  console.log(`shares of the ten differ from the mean by at most ${(spread * 100).toFixed(1)} %`)
  console.log(`normal again after ${recoveredFromOne.after} and ${recoveredFromAll.after} s`)
  console.log(`starts acknowledged ${created.reduce((sum, each) => sum + each)}, stored ${stored}`)
}

function pick(name: string): Record<string, string> {
  const value = process.env[name]
  return value ? { [name]: value } : {}
}

function pinned(processor: string | undefined): { processor?: number } {
  return processor ? { processor: Number(processor) } : {}
}

function startLoad(program: string) {
  const options = { program: join(import.meta.dirname, 'load', program), folder, ...pinned(LOAD_PROCESSOR) }
  const child = startChild(options)
  closing.defer(() => child.close())
  return child
}

/** The second measurement counts: the first one warms the service up. */
async function measureCapacity(): Promise<number> {
  const child = startLoad('closed-loop.ts')
  const order: ClosedLoopOrder = { origin: service.origin, requests, connections: 32, seconds: 10 }
  await child.request<ClosedLoopReport>(order)
  return (await child.request<ClosedLoopReport>(order)).servedPerSecond
}

function send(clients: OpenLoopClient[], forSeconds = seconds): Promise<OpenLoopReport[]> {
  return load.request({ origin: service.origin, seconds: forSeconds, clients } satisfies OpenLoopOrder)
}

async function verificationCount(): Promise<number> {
  const { em } = fixture.services.scopeFor({ kind: 'service' })
  const [row] = await em.execute<{ count: number }[]>('select count(*)::int as count from verification')
  return row!.count
}

/** Normal: everything is served, at most twice as slowly as before the overload. */
async function untilRecovered(before: readonly OpenLoopReport[]) {
  const reports: OpenLoopReport[] = []
  const usualP99 = slowest(before)
  for (let second = 1; second <= recoverySecondsMax; second++) {
    const slice = await send(normal, 1)
    reports.push(...slice)
    const isServed = slice.every(({ served, due }) => served === due)
    if (isServed && slowest(slice) <= 2 * usualP99) return { after: second, reports }
  }
  return { after: `more than ${recoverySecondsMax}`, reports }
}

function slowest(reports: readonly OpenLoopReport[]): number {
  return Math.max(...reports.map(({ p99Ms }) => p99Ms ?? 0))
}

/** Per client: the median, and the extremes where they differ. */
function summary(reports: readonly OpenLoopReport[], during = seconds) {
  const all = (value: (report: OpenLoopReport) => number | null) => spreadOf(reports.map(value))
  const failure = reports.find(({ failure }) => failure)?.failure
  return {
    'due/s': all(({ due }) => due / during),
    'served/s': all(({ served }) => served / during),
    'within 1 s, %': all(({ servedInSecond, due }) => (100 * servedInSecond) / due),
    'rejected/s': all(({ shed }) => shed / during),
    failed: all(({ failed }) => failed),
    'p50 ms': all(({ p50Ms }) => p50Ms),
    'p99 ms': all(({ p99Ms }) => p99Ms),
    ...(failure ? { failure: failure.slice(0, 80) } : {}),
  }
}

function spreadOf(values: readonly (number | null)[]): string {
  const numbers = values.filter(value => value !== null)
  if (numbers.length === 0) return ''
  const [min, middle, max] = [0, 0.5, 1].map(share => Number(quantile(numbers, share).toFixed(1)))
  return min === max ? String(middle) : `${middle} (${min}–${max})`
}
