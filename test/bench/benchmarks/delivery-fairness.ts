import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { newId } from '#domain/ids.ts'
import { createWorkerLeases } from '#server/background/worker-leases.ts'
import { createLog } from '#server/logging/log.ts'
import type { WebhookRequest, WebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { type DeliveryWorker, runDeliveryWorker } from '#server/webhooks/queue/delivery-worker.ts'
import { stored } from '../../harness/stored.ts'
import type { Benchmark } from '../benchmark.ts'
import type { Fixture } from '../fixture/fixture.ts'
import { quantile } from '../report/quantile.ts'
import type { Values } from '../report/table.ts'

const cases = [1, 10, 100].flatMap(hanging => [1, 3].map(workerCount => ({ hanging, workerCount })))
/** Of all receivers that hang together. */
const backlog = 100_000
const perSecond = 25
const timeoutMs = 5_000
/** After it the workers know which receivers hang. */
const learningMs = timeoutMs + 1_000

export const deliveryFairness: Benchmark = {
  name: 'delivery-fairness',
  description:
    `From the commit of an event to its first attempt, while others of 200 tenants have receivers that hang.\n` +
    `Those have ${backlog.toLocaleString('en')} events due when the workers start; each attempt takes ${timeoutMs / 1000} s and fails. The others have ` +
    `${perSecond} events a\nsecond. The workers share a process and don't use the network.`,
  isUsual: false,
  rounds: 1,
  seconds: 12,
  data: { tenants: 200 },
  prepare: async ({ fixture, options }) => {
    await stored(fixture, "update tenant set webhook_url = 'https://receiver.test/'")
    return async () => {
      const round: Record<string, Values> = {}
      for (const { hanging, workerCount } of cases) {
        const name = `${hanging} hang, ${workerCount} worker${workerCount > 1 ? 's' : ''}`
        round[name] = await measure(fixture, hanging, workerCount, options.seconds)
      }
      return round
    }
  },
}

async function measure(fixture: Fixture, hanging: number, workerCount: number, seconds: number) {
  const ids = fixture.tenants.map(({ tenantId }) => tenantId)
  const hangingIds = ids.slice(0, hanging)
  // Waits for the outcomes that closed workers still store, where deleting the rows they lock could be a deadlock.
  await stored(fixture, 'truncate delivery')
  await stored(
    fixture,
    `insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence)
     select now(), tenant_id, gen_random_uuid(), now(), 'approved', 1
     from unnest($1::uuid[]) as t (tenant_id) cross join generate_series(1, $2::int)`,
    [hangingIds, backlog / hanging],
  )
  const sender = measuringSender(new Set(hangingIds))
  const workers = Array.from({ length: workerCount }, () => startWorker(fixture, sender))
  const startedAt = performance.now()
  const responsive = ids.slice(hanging)
  for (let sent = 0; sent < perSecond * seconds; sent += 1) {
    await sleep(Math.max(0, startedAt + (sent * 1_000) / perSecond - performance.now()))
    const verificationId = newId(new Date())
    await stored(
      fixture,
      `insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence)
       values (now(), $1, $2, now(), 'approved', 1)`,
      [responsive[sent % responsive.length], verificationId],
    )
    sender.committedAt.set(verificationId, performance.now())
    for (const worker of workers) worker.wake()
  }
  await sleep(1_000)
  sender.release()
  await Promise.all(workers.map(worker => worker.close()))
  const delays = sender.delays.map(({ delayMs }) => delayMs)
  const later = sender.delays.filter(({ at }) => at > startedAt + learningMs).map(({ delayMs }) => delayMs)
  return {
    attempted: delays.length / (perSecond * seconds),
    'p50 ms': quantile(delays, 0.5),
    'p99 ms': quantile(delays, 0.99),
    'max ms': quantile(delays, 1),
    'max after 6 s': quantile(later, 1),
  }
}

/** Attempts at receivers that hang fail after the timeout; of others, the time since the commit is noted. */
function measuringSender(hanging: ReadonlySet<string>) {
  const committedAt = new Map<string, number>()
  const delays: { at: number; delayMs: number }[] = []
  const released = new AbortController()
  async function send({ tenantId, body }: WebhookRequest) {
    if (hanging.has(tenantId)) {
      await sleep(timeoutMs, undefined, released).catch(() => undefined)
      return { ok: false, reason: 'timeout', durationMs: timeoutMs } as const
    }
    const at = performance.now()
    const { data } = JSON.parse(body.toString())
    // It can be claimed before the statement that stored it has returned.
    delays.push({ at, delayMs: at - (committedAt.get(data.verificationId) ?? at) })
    return { ok: true, status: 204, durationMs: 1 } as const
  }
  return { committedAt, delays, send, release: () => released.abort(), close: async () => {} }
}

function startWorker({ services }: Fixture, sender: WebhookSender): DeliveryWorker {
  const { database, cipher, clock } = services
  const { pool } = database
  const leases = createWorkerLeases(pool, clock)
  const worker = runDeliveryWorker({
    pool,
    cipher,
    clock,
    log: createLog('silent'),
    sender,
    registry: new Registry(),
    retryDelaysMs: [60_000, 600_000],
    leases,
  })
  return {
    wake: worker.wake,
    async close() {
      await worker.close()
      await leases.release()
    },
  }
}
