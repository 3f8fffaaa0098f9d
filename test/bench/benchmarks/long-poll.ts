import { setTimeout as sleep } from 'node:timers/promises'
import { definePlan } from '#domain/plan/define-plan.ts'
import { defaultPlan } from '#domain/plan/ensure-default-plan.ts'
import type { BenchContext, Benchmark } from '../benchmark.ts'
import type { Child } from '../children/start-child.ts'
import type { ServerChild } from '../children/start-server.ts'
import { statusRequest } from '../fixture/add-history.ts'
import type { Fixture } from '../fixture/fixture.ts'
import { measureCpu } from '../fixture/measure-cpu.ts'
import { serviceProcess } from '../fixture/service-process.ts'
import type { CompleteReport, Order, WaitReport } from '../load/orders.ts'
import type { Round } from '../report/table.ts'
import { callback } from './callback.ts'

const { readRateLimitPerMinute } = defaultPlan
const callbackConcurrency = 32

export const longPoll: Benchmark = {
  name: 'long-poll',
  description:
    'Requests that wait for a change of a status: their memory, their CPU time, and how soon they have it.\n' +
    'As many users of one API key as its default limit allows, 100 for each second that a request waits, on one API ' +
    'process;\nanother one gets the callbacks. CPU in percent of a core.',
  isUsual: false,
  rounds: 1,
  seconds: 60,
  data: { tenants: 1 },
  async prepare(context) {
    const { fixture } = context
    await definePlan(fixture.services.scopeFor({ kind: 'operator' }), {
      name: 'bench',
      readRateLimitPerMinute,
    })
    const waiting = await startApi(context)
    const committing = await startApi(context)
    const load = context.startLoad()
    return () => measureWaits({ fixture, waiting, committing, load }, context.options.seconds)
  },
}

/** The clients' connections are those of a proxy. */
function startApi(context: BenchContext): Promise<ServerChild> {
  return context.start(serviceProcess(context, { flags: ['--expose-gc'], env: { TRUST_PROXY: '1' } }))
}

interface Processes {
  fixture: Fixture
  waiting: ServerChild
  committing: ServerChild
  load: Child
}

async function measureWaits(processes: Processes, seconds: number): Promise<Round> {
  const { fixture, waiting, committing, load } = processes
  const { apiKey } = fixture.tenants[0]!
  const callbacks = await callback.requests(fixture, (readRateLimitPerMinute * seconds) / 60)
  const requests = callbacks.map(({ body }) => {
    const { vendorData } = JSON.parse(body!).verification
    const request = statusRequest(vendorData, apiKey)
    return { ...request, path: `${request.path}&wait=${seconds}` }
  })
  const send = <Report>(order: Order) => load.request<Report>(order)
  const before = await waiting.memory()
  await send({ kind: 'wait', origin: waiting.origin, requests, withinSeconds: seconds })
  const during = { ...(await waiting.memory()), 'waiting requests': await waitingRequests(waiting) }
  await send({ kind: 'report' })
  const idle = await cpuShares(processes, () => sleep(seconds * 1_000))
  const { responses, failed } = await send<WaitReport>({ kind: 'report' })
  const { origin } = committing
  const completed = await cpuShares(processes, () =>
    send<CompleteReport>({ kind: 'complete', origin, callbacks, concurrency: callbackConcurrency }),
  )
  const { p50Ms, p99Ms, maxMs, seconds: completedSeconds } = completed.result
  return {
    before,
    'all are waiting': during,
    'nothing changes': { ...idle.shares, 'per second': responses / seconds, failed },
    'all are completed': {
      ...(await waiting.memory()),
      ...completed.shares,
      'per second': callbacks.length / completedSeconds,
      'p50 ms': p50Ms,
      'p99 ms': p99Ms,
      'longest ms': maxMs,
    },
  }
}

async function waitingRequests({ origin }: ServerChild): Promise<number> {
  const response = await fetch(`${origin}/metrics`)
  return Number(/^age_verification_http_waiting_requests (\d+)$/m.exec(await response.text())![1])
}

async function cpuShares<Result>(processes: Processes, work: () => Promise<Result>) {
  const { fixture, waiting, committing } = processes
  const startedAt = performance.now()
  const { result, cpuUs } = await measureCpu(fixture, [waiting, committing], work)
  const ms = performance.now() - startedAt
  const share = (us: number | undefined) => (us === undefined ? undefined : us / ms / 10)
  const shares = {
    'process with the requests, %': share(cpuUs.own[0]),
    'process with the callbacks, %': share(cpuUs.own[1]),
    'PostgreSQL, %': share(cpuUs.postgres),
    'Redis, %': share(cpuUs.redis),
  }
  return { result, shares }
}
