import { stored } from '../../harness/stored.ts'
import type { BenchContext, Benchmark } from '../benchmark.ts'
import type { Child } from '../children/start-child.ts'
import type { ServerChild } from '../children/start-server.ts'
import type { Fixture } from '../fixture/fixture.ts'
import { serviceProcess } from '../fixture/service-process.ts'
import type { BenchRequest, ClosedLoopReport, OpenLoopClient, OpenLoopReport, Order } from '../load/orders.ts'
import { quantile } from '../report/quantile.ts'
import type { Round, Values } from '../report/table.ts'
import { callback } from './callback.ts'
import { mixedRequests } from './mixed-requests.ts'

const tenantCount = 10
const overloadFactor = 5
const normalShare = 0.7
const callbacksPerSecond = 20
/** More than a process works on and keeps in one tenant's queue, as a proxy can have. */
const connectionsOfOne = 2_000

export const overload: Benchmark = {
  name: 'overload',
  description:
    'What one tenant that asks for five times the capacity costs nine others, then all ten; and the recovery.\n' +
    'One start to three look-ups of a status, and callbacks meanwhile. The capacity is --rate, or what 32 connections get\n' +
    'that each send the next request at once. Per client; the served share and p99 are those of the worst one.',
  isUsual: false,
  rounds: 3,
  seconds: 20,
  data: { tenants: tenantCount },
  async prepare(context) {
    const { fixture, options } = context
    // All clients have the load's address, as behind a proxy.
    const service = await context.start(serviceProcess(context, { env: { TRUST_PROXY: '1' } }))
    const load = context.startLoad()
    const requests = await mixedRequests(fixture)
    const system = { fixture, service, load, seconds: options.seconds }
    const capacity = options.rate ?? (await measureCapacity(system, requests))
    const clients = createClients(fixture, requests, capacity)
    await send(system, clients.normal, options.seconds / 2)
    return () => measureOverload(system, clients, capacity)
  },
}

interface System extends Pick<BenchContext, 'fixture'> {
  service: ServerChild
  load: Child
  seconds: number
}

/** The second measurement counts: the first one warms the service up. */
async function measureCapacity({ service, load, seconds }: System, requests: BenchRequest[]) {
  const connections = { origin: service.origin, connections: 32, seconds: seconds / 2 }
  const order: Order = { kind: 'closed loop', ...connections, requests }
  await load.request(order)
  const { requests: served, seconds: elapsed, error } = await load.request<ClosedLoopReport>(order)
  if (error) throw new Error(`overload: ${error}`)
  return served / elapsed
}

function createClients({ tenants }: Fixture, requests: readonly BenchRequest[], capacity: number) {
  const client = (index: number, perSecond: number, connections: number): OpenLoopClient => ({
    requests: requests.filter(({ headers }) => headers['x-tenant-api-key'] === tenants[index]!.apiKey),
    perSecond,
    connections,
  })
  const normal = tenants.map((_, index) => client(index, (normalShare * capacity) / tenantCount, 20))
  const tooMuch = overloadFactor * capacity
  return {
    normal,
    one: [client(0, tooMuch, connectionsOfOne), ...normal.slice(1)],
    all: tenants.map((_, index) => client(index, tooMuch / tenantCount, connectionsOfOne / tenantCount)),
  }
}

async function measureOverload(
  system: System,
  { normal, one, all }: ReturnType<typeof createClients>,
  capacity: number,
): Promise<Round> {
  const { fixture, seconds } = system
  const before = await send(system, normal, seconds / 2)
  const callbacks = [await callbackClient(system), await callbackClient(system)] as const
  const storedBefore = await verificationCount(fixture)
  const duringOne = await send(system, [...one, callbacks[0]], seconds)
  const afterOne = await untilRecovered(system, normal, before)
  const duringAll = await send(system, [...all, callbacks[1]], seconds)
  const afterAll = await untilRecovered(system, normal, before)
  const created = [duringOne, afterOne.reports, duringAll, afterAll.reports]
    .flat()
    .reduce((sum, report) => sum + report.created, 0)
  const served = duringAll.slice(0, tenantCount).map(report => report.served)
  const mean = served.reduce((sum, each) => sum + each) / tenantCount
  return {
    'normal, each': openLoopValues(before, seconds / 2),
    'one at five times: that one': {
      ...openLoopValues(duringOne.slice(0, 1), seconds),
      'normal after, s': afterOne.seconds,
    },
    'one at five times: each of nine others': openLoopValues(duringOne.slice(1, tenantCount), seconds),
    'one at five times: callbacks': openLoopValues(duringOne.slice(tenantCount), seconds),
    'all at five times: each': {
      ...openLoopValues(duringAll.slice(0, tenantCount), seconds),
      'normal after, s': afterAll.seconds,
      'share differs by, %': 100 * Math.max(...served.map(each => Math.abs(each / mean - 1))),
    },
    'all at five times: callbacks': openLoopValues(duringAll.slice(tenantCount), seconds),
    capacity: { 'served/s': capacity },
    'starts acknowledged': { count: created },
    'starts stored': { count: (await verificationCount(fixture)) - storedBefore },
  }
}

function send({ load, service }: System, clients: OpenLoopClient[], seconds: number) {
  const order: Order = { kind: 'open loop', origin: service.origin, seconds, clients }
  return load.request<OpenLoopReport[]>(order)
}

async function callbackClient({ fixture, seconds }: System): Promise<OpenLoopClient> {
  const requests = await callback.requests(fixture, callbacksPerSecond * seconds)
  return { requests, perSecond: callbacksPerSecond, connections: 20 }
}

async function verificationCount(fixture: Fixture): Promise<number> {
  const count = 'select count(*)::int as count from verification'
  const [row] = await stored<{ count: number }>(fixture, count)
  return row!.count
}

/**
 * Sends for a second at a time. Normal: everything is served, at most twice as slowly as before the overload. The seconds
 * are undefined if it isn't reached in half as much time again as the overload took.
 */
async function untilRecovered(system: System, normal: OpenLoopClient[], before: readonly OpenLoopReport[]) {
  const reports: OpenLoopReport[] = []
  for (let second = 1; second <= 1.5 * system.seconds; second++) {
    const slice = await send(system, normal, 1)
    reports.push(...slice)
    const isServed = slice.every(({ served, due }) => served === due)
    if (isServed && slowest(slice) <= 2 * slowest(before)) return { seconds: second, reports }
  }
  return { seconds: undefined, reports }
}

function slowest(reports: readonly OpenLoopReport[]): number {
  return Math.max(...reports.map(({ p99Ms }) => p99Ms ?? 0))
}

export function openLoopValues(reports: readonly OpenLoopReport[], seconds: number): Values {
  const failure = reports.find(({ failure }) => failure)?.failure
  if (failure) console.error(`overload: ${failure.slice(0, 80)}`)
  const middle = (value: (report: OpenLoopReport) => number | null) =>
    quantile(
      reports.map(value).filter(each => each !== null),
      0.5,
    )
  return {
    'due/s': middle(({ due }) => due / seconds),
    'served/s': middle(({ served }) => served / seconds),
    'within 1 s, %': Math.min(...reports.map(({ servedInSecond, due }) => (100 * servedInSecond) / due)),
    'rejected/s': middle(({ rejected }) => rejected / seconds),
    failed: reports.reduce((sum, { failed }) => sum + failed, 0),
    'p50 ms': middle(({ p50Ms }) => p50Ms),
    'p99 ms': slowest(reports),
  }
}
