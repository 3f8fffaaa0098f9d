/**
 * Measures a process that is asked for five times what it can do: how many requests it serves and how fast, whether it
 * takes the provider's callbacks, and how soon it is back to normal. One API process; load, provider, PostgreSQL and
 * Redis share the machine with it. `node bench/overload.ts`
 */
import { join } from 'node:path'
import { callback } from './callback.ts'
import { type Child, startChild } from './children/start-child.ts'
import { startServer } from './children/start-server.ts'
import { mixedRequests } from './fixture/mixed-requests.ts'
import { openFixture } from './fixture/open-fixture.ts'
import type { OpenLoopOrder, OpenLoopReport } from './load/open-loop.ts'

const overloadFactor = 5
const normalShare = 0.7
/** Who runs where; set from outside, as it depends on the machine. */
const loadProcessor = processorNamed('LOAD_PROCESSOR')
const serviceProcessor = processorNamed('SERVICE_PROCESSOR')
/** Requests per second, where they are known; they are searched for otherwise. */
const knownCapacity = Number(process.env.CAPACITY ?? 0)
const overloadSeconds = 20
const normalSeconds = 10
const callbacksPerSecond = 20
/** The capacity is the highest rate of which nearly all requests are served in time. */
const capacitySearch = { from: 500, factor: 1.25, seconds: 4, p99MsMax: 100 }
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
const load = startLoad()
const provider = startLoad()
const requests = await mixedRequests(fixture)

const send = (child: Child, order: Partial<OpenLoopOrder> & Pick<OpenLoopOrder, 'perSecond' | 'seconds'>) =>
  child.request<OpenLoopReport>({ origin: service.origin, requests, connections: 1_000, ...order })

await send(load, { perSecond: 300, seconds: 5 })
const capacity = knownCapacity || (await findCapacity())
const normal = await send(load, { perSecond: normalShare * capacity, seconds: normalSeconds })
const callbacks = await callback.requests(fixture, callbacksPerSecond * overloadSeconds)
const [overloaded, called] = await Promise.all([
  send(load, { perSecond: overloadFactor * capacity, seconds: overloadSeconds }),
  send(provider, { requests: callbacks, perSecond: callbacksPerSecond, seconds: overloadSeconds }),
])
const recoveredAfter = await untilRecovered()

console.log(
  `capacity ${capacity.toFixed(0)} requests/s (1 start : 3 status), ${overloadFactor} times that in the overload`,
)
console.table({
  [`normal (${normalShare * 100} %)`]: summary(normal, normalSeconds),
  overload: summary(overloaded, overloadSeconds),
  'callbacks in the overload': summary(called, overloadSeconds),
})
console.log(`back to normal after ${recoveredAfter ?? `more than ${recoverySecondsMax}`} s`)

function processorNamed(variable: string): { processor?: number } {
  const value = process.env[variable]
  return value ? { processor: Number(value) } : {}
}

function startLoad(): Child {
  const child = startChild({
    program: join(import.meta.dirname, 'load/open-loop.ts'),
    folder,
    ...loadProcessor,
  })
  closing.defer(() => child.close())
  return child
}

async function findCapacity(): Promise<number> {
  const { from, factor } = capacitySearch
  let perSecond = from
  // A second try, as one pause of the machine is enough to miss the limit.
  while ((await isServed(perSecond)) || (await isServed(perSecond))) perSecond *= factor
  return perSecond / factor
}

async function isServed(perSecond: number): Promise<boolean> {
  const { seconds, p99MsMax } = capacitySearch
  const { sent, served, p99Ms } = await send(load, { perSecond, seconds })
  console.log(`${perSecond.toFixed(0)}/s: ${served} of ${sent} served, p99 ${milliseconds(p99Ms)} ms`)
  return served >= 0.99 * sent && p99Ms! <= p99MsMax
}

async function untilRecovered(): Promise<number | undefined> {
  for (let second = 1; second <= recoverySecondsMax; second++) {
    const { sent, served, p99Ms } = await send(load, { perSecond: normalShare * capacity, seconds: 1 })
    if (served === sent && p99Ms! <= 2 * normal.p99Ms!) return second
  }
  return undefined
}

function summary(report: OpenLoopReport, seconds: number) {
  const perSecond = (count: number) => Math.round(count / seconds)
  return {
    'sent/s': perSecond(report.sent),
    'served/s': perSecond(report.served),
    'shed/s': perSecond(report.shed),
    failed: report.failed,
    'p50 ms': milliseconds(report.p50Ms),
    'p99 ms': milliseconds(report.p99Ms),
    'shed p50 ms': milliseconds(report.shedP50Ms),
    ...(report.failure ? { failure: report.failure.slice(0, 80) } : {}),
  }
}

/** Empty where there was no such response. */
function milliseconds(value: number | null): string {
  return value === null ? '' : value.toFixed(1)
}
