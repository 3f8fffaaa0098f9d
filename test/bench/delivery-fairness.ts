/**
 * Measures how long deliveries to responsive receivers wait while others hang: of 1,000 tenants, 1, 10 and 100 have
 * receivers that hang for 5 s and a backlog of 5,000 deliveries in total. The others get 100 deliveries per second in
 * total for 15 s, and their receivers respond in 50 ms. No sockets: only the worker is measured.
 * `node bench/delivery-fairness.ts`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import type { AttemptResult, WebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { createDeliveryMetrics } from '#server/webhooks/queue/delivery-metrics.ts'
import { createDeliveryWorker } from '#server/webhooks/queue/delivery-worker.ts'
import { type BenchFixture, openBenchFixture } from './fixture/statement-fixture.ts'
import { quantile } from './report/quantile.ts'

const tenantCount = 1_000
const backlog = 5_000
const events = 1_500
const intervalMs = 10

const table = []
for (const hanging of [0, 1, 10, 100]) {
  const fixture = await openBenchFixture()
  try {
    table.push(await measure(fixture, hanging))
  } finally {
    await fixture.close()
  }
}
console.table(table)

async function measure(fixture: BenchFixture, hangingCount: number) {
  const tenants = await fixture.addTenants(tenantCount)
  const hanging = tenants.slice(0, hangingCount)
  const responsive = tenants.slice(hangingCount)
  await fixture.addDeliveries(hanging, backlog / Math.max(1, hangingCount))
  const { sender, delays, committed } = receivers(new Set(hanging))
  const { pool, cipher } = fixture
  const clock = () => new Date()
  const metrics = createDeliveryMetrics({ registry: new Registry(), pool, clock })
  const log = { info() {}, warn() {}, error() {} }
  const worker = createDeliveryWorker({
    pool,
    cipher,
    clock,
    log,
    sender,
    metrics,
    retryDelaysMs: [60_000, 600_000],
  })
  worker.start()
  const startedAt = performance.now()
  for (let event = 0; event < events; event += 1) {
    await sleep(Math.max(0, startedAt + event * intervalMs - performance.now()))
    const tenantId = responsive[(event * 7) % responsive.length]!
    void fixture.addDeliveries([tenantId], 1).then(() => {
      committed(tenantId)
      worker.wake()
    })
  }
  await sleep(1_000)
  await worker.close()
  const [p50, p99, longest] = [0.5, 0.99, 1].map(share => Number(quantile(delays, share).toFixed(1)))
  return {
    hanging: hangingCount,
    started: `${delays.length}/${events}`,
    'p50 ms': p50,
    'p99 ms': p99,
    longest,
  }
}

/** Measures the time from a commit to the tenant's attempt; an attempt that starts before the commit returns is 0. */
function receivers(hanging: ReadonlySet<string>) {
  const commits = new Map<string, number>()
  const early = new Set<string>()
  const delays: number[] = []
  const sender: WebhookSender = {
    async send({ tenantId }): Promise<AttemptResult> {
      if (hanging.has(tenantId)) {
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
