/**
 * Measures ten workers while 50,000 tenants have a delivery pending: those of 40,000 wait for a retry, and those of
 * 10,000 are due, but their receivers hang for 5 s. The other tenants get 100 events a second in total for 15 s, and
 * the workers are notified as in production. No sockets: only the workers are measured. Then what ten workers and one
 * worker send to the database in a minute without any work. `node bench/delivery-tenants.ts`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { connectionOptions } from '#domain/database/connection-options.ts'
import type { Scope } from '#domain/scope.ts'
import type { ClaimPool } from '#domain/webhook/claim-transaction.ts'
import { runTasks } from '#server/background/task-runner.ts'
import { tasks } from '#server/background/tasks.ts'
import { createWorkerLeases } from '#server/background/worker-leases.ts'
import { createLog } from '#server/log.ts'
import { createProcessNotifications } from '#server/notifications/process-notifications.ts'
import type { WebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { createDeliveryMetrics } from '#server/webhooks/queue/delivery-metrics.ts'
import { createDeliveryWorker } from '#server/webhooks/queue/delivery-worker.ts'
import { type BenchFixture, openBenchFixture } from './fixture/statement-fixture.ts'
import { quantile } from './report/quantile.ts'

const responsiveCount = 1_000
const hangingCount = 10_000
const retryingCount = 40_000
const events = 1_500
const intervalMs = 10
const idleSeconds = 60

const log = createLog('silent')

const fixture = await openBenchFixture({ poolSize: 40 })
try {
  const busy = await measureEvents(fixture)
  console.table([busy])
  await fixture.run('truncate delivery, delivery_queue')
  console.table([await measureIdle(fixture, 1), await measureIdle(fixture, 10)])
} finally {
  await fixture.close()
}

async function measureEvents(fixture: BenchFixture) {
  const responsive = await fixture.addTenants(responsiveCount)
  const hanging = await fixture.addTenants(hangingCount)
  const retrying = await fixture.addTenants(retryingCount)
  await addWaiting(fixture, retrying, '1 hour', false)
  await addWaiting(fixture, hanging, '-1 minute', true)
  await fixture.run('vacuum analyze')
  const statements = createStatementLog(fixture.pool)
  const { sender, delays, committed } = receivers(new Set(responsive))
  const workers = startWorkers(fixture, statements.pool, sender, 10)
  const api = createProcessNotifications({
    roles: { api: true, worker: false },
    connection: workers.connection,
    log,
  })
  await sleep(3_000)
  statements.reset()
  const startedAt = performance.now()
  for (let event = 0; event < events; event += 1) {
    await sleep(Math.max(0, startedAt + event * intervalMs - performance.now()))
    const tenantId = responsive[(event * 7) % responsive.length]!
    void fixture.addDeliveries([tenantId], 1).then(() => {
      committed(tenantId)
      api.notifier.notify('deliveries')
    })
  }
  await sleep(2_000)
  const { claims, empty, counts } = statements
  await api.close()
  await workers.close()
  return {
    started: `${delays.length}/${events}`,
    'first attempt p50 ms': rounded(quantile(delays, 0.5)),
    'p99 ms': rounded(quantile(delays, 0.99)),
    'claim p50 ms': rounded(quantile(claims, 0.5)),
    'claim p99 ms': rounded(quantile(claims, 0.99)),
    claims: claims.length,
    'looked without work': empty(),
    statements: counts(),
  }
}

async function measureIdle(fixture: BenchFixture, count: number) {
  const statements = createStatementLog(fixture.pool)
  const sender: WebhookSender = { send: () => Promise.reject(new Error('unexpected')), close: async () => {} }
  const workers = startWorkers(fixture, statements.pool, sender, count, true)
  await sleep(10_000)
  statements.reset()
  await sleep(idleSeconds * 1_000)
  const sent = statements.counts()
  await workers.close()
  return { workers: count, 'idle statements per minute': Math.round((sent * 60) / idleSeconds) }
}

function startWorkers(
  fixture: BenchFixture,
  pool: ClaimPool,
  sender: WebhookSender,
  count: number,
  withTasks = false,
) {
  const { cipher, url } = fixture
  const connection = connectionOptions(url)
  const clock = () => new Date()
  const quiet = { info() {}, warn() {}, error() {} }
  const started = Array.from({ length: count }, () => {
    const metrics = createDeliveryMetrics({ registry: new Registry(), pool, clock })
    const leases = createWorkerLeases(pool, clock)
    const notifications = createProcessNotifications({ roles: { api: false, worker: true }, connection, log })
    const worker = createDeliveryWorker({
      pool,
      cipher,
      clock,
      log: quiet,
      sender,
      metrics,
      retryDelaysMs: [60_000, 600_000],
      leases,
      onBacklog: () => notifications.notifyAll('delivery_backlog'),
    })
    worker.start()
    // The tasks use nothing else of a scope while nothing is due.
    const scopeFor = () => ({ em: fixture.em.fork(), pool, now: new Date(), log: quiet }) as unknown as Scope
    const runner = withTasks ? runTasks({ tasks, leases, scopeFor, log: quiet }) : undefined
    notifications.listen((work, isForAll) => {
      if (work === 'delivery_backlog') worker.wake()
      else if (work === 'deliveries') worker.wake(isForAll)
    })
    return { close: () => Promise.all([worker.close(), runner?.close(), notifications.close()]) }
  })
  return {
    connection,
    close: async () => void (await Promise.all(started.map(worker => worker.close()))),
  }
}

/** The pool; records how long its claims take, from `begin` to the commit, and how many statements it sends. */
function createStatementLog(pool: ClaimPool) {
  const claims: number[] = []
  let sent = 0
  let searches = 0
  const counting: ClaimPool = {
    query(statement) {
      sent += 1
      if (statement.name === 'find-deliveries') searches += 1
      return pool.query(statement)
    },
    async connect() {
      const connection = await pool.connect()
      const startedAt = performance.now()
      const query = (statement: never) => {
        sent += 1
        return connection.query(statement)
      }
      const release = (isBroken?: boolean) => {
        claims.push(performance.now() - startedAt)
        connection.release(isBroken)
      }
      return { query, release } as typeof connection
    },
  }
  return {
    pool: counting,
    claims,
    empty: () => searches - claims.length,
    counts: () => sent,
    reset() {
      claims.length = 0
      sent = 0
      searches = 0
    },
  }
}

async function addWaiting(
  fixture: BenchFixture,
  tenantIds: string[],
  dueIn: string,
  isUnresponsive: boolean,
): Promise<void> {
  await fixture.run(
    `with queued as (
       insert into delivery_queue (tenant_id, due_at, is_unresponsive)
       select tenant_id, now() + $2::interval, $3::boolean from unnest($1::uuid[]) as t (tenant_id)
     )
     insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence, state, attempts)
     select now(), tenant_id, gen_random_uuid(), now() + $2::interval, 'approved', 1, 'waiting', 1
     from unnest($1::uuid[]) as t (tenant_id)`,
    [tenantIds, dueIn, isUnresponsive],
  )
}

/** Measures the time from a commit to the tenant's attempt; an attempt that starts before the commit returns is 0. */
function receivers(responsive: ReadonlySet<string>) {
  const commits = new Map<string, number>()
  const early = new Set<string>()
  const delays: number[] = []
  const sender: WebhookSender = {
    async send({ tenantId }) {
      if (!responsive.has(tenantId)) {
        await sleep(5_000)
        return { ok: false, reason: 'timeout', durationMs: 5_000 }
      }
      const committedAt = commits.get(tenantId)
      if (committedAt === undefined) early.add(tenantId)
      delays.push(committedAt === undefined ? 0 : performance.now() - committedAt)
      commits.delete(tenantId)
      await sleep(50)
      return { ok: true, status: 204, durationMs: 50 }
    },
    close: async () => {},
  }
  const committed = (tenantId: string) => {
    if (!early.delete(tenantId)) commits.set(tenantId, performance.now())
  }
  return { sender, delays, committed }
}

function rounded(value: number): number {
  return Number(value.toFixed(1))
}
