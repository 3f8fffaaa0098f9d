/**
 * Measures a process that is asked for five times what it can do: how many requests it serves and how fast, whether it
 * takes the provider's callbacks, and how soon it is back to normal. One API process; PostgreSQL and Redis share the
 * machine with it. `node bench/overload.ts [rounds]`
 */
import { join } from 'node:path'
import { callback } from './callback.ts'
import { type Child, startChild } from './children/start-child.ts'
import { startServer } from './children/start-server.ts'
import { mixedRequests } from './fixture/mixed-requests.ts'
import { openFixture } from './fixture/open-fixture.ts'
import type { ClosedLoopOrder, ClosedLoopReport } from './load/closed-loop.ts'
import type { OpenLoopOrder, OpenLoopReport } from './load/open-loop.ts'
import { quantile } from './report/quantile.ts'

interface Phase {
  seconds: number
  report: OpenLoopReport
}

interface Round {
  normal: Phase
  overload: Phase
  callbacks: Phase
  recoveredAfter: number | undefined
}

const rounds = Number(process.argv[2] ?? 5)
const overloadFactor = 5
const normalShare = 0.7
/** Who runs where; set from outside, as it depends on the machine. */
const loadProcessor = processorNamed('LOAD_PROCESSOR')
const serviceProcessor = processorNamed('SERVICE_PROCESSOR')
/** Requests per second, where they are known; they are measured otherwise. */
const knownCapacity = Number(process.env.CAPACITY ?? 0)
const overloadSeconds = 20
const normalSeconds = 10
const callbacksPerSecond = 20
const capacityLoad = { connections: 32, seconds: 10 }
/** After an overload: slices of a second, until one is as fast as before. */
const recoverySecondsMax = 30

const fixture = await openFixture({ tenants: 100 })
await using closing = new AsyncDisposableStack()
closing.defer(() => fixture.close())
const { env, folder } = fixture
const service = await startServer({
  program: join(import.meta.dirname, '../server/main.ts'),
  env,
  folder,
  healthPath: '/health/live',
  ...serviceProcessor,
})
closing.defer(() => service.close())
const load = startLoad('open-loop.ts')
const provider = startLoad('open-loop.ts')
const requests = await mixedRequests(fixture)

const send = (child: Child, order: Partial<OpenLoopOrder> & Pick<OpenLoopOrder, 'perSecond' | 'seconds'>) =>
  child.request<OpenLoopReport>({ origin: service.origin, requests, connections: 1_000, ...order })

const capacity = knownCapacity || (await measureCapacity())
const normalLoad = { perSecond: normalShare * capacity, seconds: normalSeconds }
const overload = { perSecond: overloadFactor * capacity, seconds: overloadSeconds }
console.log(`capacity ${capacity.toFixed(0)} requests/s (1 start : 3 status)`)
await send(load, normalLoad)
const measured: Round[] = []
for (let round = 1; round <= rounds; round++) {
  const each = await measureRound()
  measured.push(each)
  console.log(`round ${round}: p99 ${p99Of(each.overload)} ms, normally ${p99Of(each.normal)} ms`)
}
const sudden = { report: await send(load, { ...overload, opensOnDemand: true }), seconds: overloadSeconds }

console.table({
  [`normal (${normalShare * 100} %)`]: summary(measured.map(({ normal }) => normal)),
  [`${overloadFactor} times the capacity`]: summary(measured.map(({ overload }) => overload)),
  'callbacks meanwhile': summary(measured.map(({ callbacks }) => callbacks)),
  'the same from new connections': summary([sudden]),
})
const ratios = measured.map(({ normal, overload }) => overload.report.p99Ms! / normal.report.p99Ms!)
console.log(`p99 of what is served, as a multiple of the normal one: ${spread(ratios)}`)
const recoveries = measured.map(({ recoveredAfter }) => recoveredAfter ?? `more than ${recoverySecondsMax}`)
console.log(`back to normal after ${recoveries.join(', ')} s`)

function processorNamed(variable: string): { processor?: number } {
  const value = process.env[variable]
  return value ? { processor: Number(value) } : {}
}

function startLoad(program: string): Child {
  const child = startChild({ program: join(import.meta.dirname, 'load', program), folder, ...loadProcessor })
  closing.defer(() => child.close())
  return child
}

/** The second measurement counts: the first one warms the service up. */
async function measureCapacity(): Promise<number> {
  const child = startLoad('closed-loop.ts')
  const order: ClosedLoopOrder = { origin: service.origin, requests, ...capacityLoad }
  await child.request<ClosedLoopReport>(order)
  return (await child.request<ClosedLoopReport>(order)).servedPerSecond
}

async function measureRound(): Promise<Round> {
  const normal = await send(load, normalLoad)
  const callbacks = await callback.requests(fixture, callbacksPerSecond * overloadSeconds)
  const [overloaded, called] = await Promise.all([
    send(load, overload),
    send(provider, {
      requests: callbacks,
      perSecond: callbacksPerSecond,
      seconds: overloadSeconds,
      connections: 100,
    }),
  ])
  return {
    normal: { report: normal, seconds: normalSeconds },
    overload: { report: overloaded, seconds: overloadSeconds },
    callbacks: { report: called, seconds: overloadSeconds },
    recoveredAfter: await untilRecovered(normal.p99Ms!),
  }
}

async function untilRecovered(normalP99Ms: number): Promise<number | undefined> {
  for (let second = 1; second <= recoverySecondsMax; second++) {
    const { sent, served, p99Ms } = await send(load, { ...normalLoad, seconds: 1 })
    if (served === sent && p99Ms! <= 2 * normalP99Ms) return second
  }
  return undefined
}

function summary(phases: readonly Phase[]) {
  const all = (value: (phase: Phase) => number | null) =>
    spread(phases.map(value).filter(each => each !== null))
  const perSecond = (value: (report: OpenLoopReport) => number) =>
    all(({ report, seconds }) => Math.round(value(report) / seconds))
  const failure = phases.find(({ report }) => report.failure)?.report.failure
  return {
    'sent/s': perSecond(({ sent }) => sent),
    'served/s': perSecond(({ served }) => served),
    'rejected/s': perSecond(({ shed }) => shed),
    failed: all(({ report }) => report.failed),
    'p50 ms': all(({ report }) => report.p50Ms),
    'p99 ms': all(({ report }) => report.p99Ms),
    'rejected, p50 ms': all(({ report }) => report.shedP50Ms),
    ...(failure ? { failure: failure.slice(0, 80) } : {}),
  }
}

/** The median, and in parentheses the extremes where they differ. Empty without values. */
function spread(values: readonly number[]): string {
  const [min, middle, max] = [0, 0.5, 1].map(share => Number(quantile(values, share).toFixed(1)))
  if (values.length === 0) return ''
  return min === max ? String(middle) : `${middle} (${min}–${max})`
}

function p99Of({ report }: Phase): string {
  return report.p99Ms?.toFixed(0) ?? '–'
}
