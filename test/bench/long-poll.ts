/**
 * Measures requests that wait for a change of a status: 6,000 users of one API key with the default read limit, on one API
 * process. Their memory, the CPU time while nothing changes, and how soon they have a result that another process has
 * committed. `node test/bench/long-poll.ts [USERS]`
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { definePlan } from '#domain/plan/define-plan.ts'
import { defaultPlan } from '#domain/plan/ensure-default-plan.ts'
import { callback } from './callback.ts'
import { startChild } from './children/start-child.ts'
import { type ServerChild, startServer } from './children/start-server.ts'
import { databaseCpu } from './fixture/database-cpu.ts'
import { openFixture } from './fixture/open-fixture.ts'
import type { CompleteOrder, CompleteReport, WaitOrder, WaitReport } from './load/long-poll.ts'
import type { BenchRequest } from './load/order.ts'

const users = Number(process.argv[2] ?? 6_000)
const waitSeconds = 60
const idleSeconds = 60
const callbackConcurrency = 32

const fixture = await openFixture({ tenants: 1 })
await using closing = new AsyncDisposableStack()
closing.defer(() => fixture.close())
const { env, folder } = fixture
const { readRateLimitPerMinute } = defaultPlan
await definePlan(fixture.services.scopeFor({ kind: 'operator' }), { name: 'bench', readRateLimitPerMinute })
const [waiting, committing] = await Promise.all([startApi(), startApi()])
const load = startChild({ program: join(import.meta.dirname, 'load/long-poll.ts'), folder })
closing.defer(() => load.close())

const callbacks = await callback.requests(fixture, users)
const requests = callbacks.map(({ body }) => waitingRequest(JSON.parse(body!).verification.vendorData))
await sleep(2_000)
const before = await waiting.memory()
const waitOrder: WaitOrder = { kind: 'wait', origin: waiting.origin, requests, withinSeconds: waitSeconds }
await load.request<WaitReport>(waitOrder)
console.log(`${await waitingRequests()} requests are waiting`)
const during = await waiting.memory()
await load.request<WaitReport>('report')
const idle = await cpuDuring(() => sleep(idleSeconds * 1_000))
const idleReport = await load.request<WaitReport>('report')
const completeOrder: CompleteOrder = {
  kind: 'complete',
  origin: committing.origin,
  callbacks,
  concurrency: callbackConcurrency,
}
let completed: CompleteReport | undefined
const completing = await cpuDuring(async () => {
  completed = await load.request<CompleteReport>(completeOrder)
})
const after = await waiting.memory()

const mebibytes = (bytes: number) => Math.round(bytes / 1024 ** 2)
console.table({
  'before, MiB': { resident: mebibytes(before.residentBytes), heap: mebibytes(before.heapBytes) },
  'all waiting, MiB': { resident: mebibytes(during.residentBytes), heap: mebibytes(during.heapBytes) },
  'all completed, MiB': { resident: mebibytes(after.residentBytes), heap: mebibytes(after.heapBytes) },
})
console.log(`nothing changes, for ${idleSeconds} s:`, idleReport)
console.table({ 'nothing changes, % of a core': idle, 'all are completed, % of a core': completing })
console.log('all are completed:', completed)

async function startApi(): Promise<ServerChild> {
  const server = await startServer({
    program: join(import.meta.dirname, '../../server/main.ts'),
    // The clients' connections are those of a proxy.
    env: { ...env, TRUST_PROXY: '1' },
    folder,
    flags: ['--expose-gc'],
    healthPath: '/health/live',
  })
  closing.defer(() => server.close())
  return server
}

function waitingRequest(verificationId: string): BenchRequest {
  return {
    method: 'GET',
    path: `/verify/status?verificationId=${verificationId}&wait=${waitSeconds}`,
    headers: { 'x-tenant-api-key': fixture.tenants[0]!.apiKey },
  }
}

async function waitingRequests(): Promise<number> {
  const response = await fetch(`${waiting.origin}/metrics`)
  const metric = /^age_verification_http_waiting_requests (\d+)$/m.exec(await response.text())
  return Number(metric![1])
}

/** The share of a core that each process took. */
async function cpuDuring(work: () => Promise<unknown>) {
  const first = await cpuNow()
  await work()
  const last = await cpuNow()
  const share = (from = 0, to = 0) => Number(((to - from) / (last.atMs - first.atMs) / 10).toFixed(1))
  return {
    'API process with the requests': share(first.waitingUs, last.waitingUs),
    'API process with the callbacks': share(first.committingUs, last.committingUs),
    PostgreSQL: share(first.postgresUs, last.postgresUs),
    Redis: share(first.redisUs, last.redisUs),
  }
}

async function cpuNow() {
  const [waitingUs, committingUs] = [await waiting.cpuUs(), await committing.cpuUs()]
  return { atMs: performance.now(), waitingUs, committingUs, ...(await databaseCpu(fixture)) }
}
