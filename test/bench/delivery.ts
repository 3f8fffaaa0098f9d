import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadOrCreateCertificate } from '#development/webhook-receiver/certificate.ts'
import type { BenchContext, Benchmark } from './benchmark.ts'
import type { PostOrder, PostReport } from './children/post-loop.ts'
import { type Child, startChild } from './children/start-child.ts'
import { startServer } from './children/start-server.ts'
import { databaseCpu } from './fixture/database-cpu.ts'
import { type Fixture, openFixture } from './fixture/open-fixture.ts'
import type { RoundResult } from './measure.ts'
import { summaryRow } from './report/summary.ts'
import { table } from './report/table.ts'

const perSecondOfRound = 6_000
/** Sent before each round, so that connections are open, as they are where events arrive all the time. */
const warmUpCount = 2_000
/** In which the deliveries of a round are inserted before they become due. */
const leadMs = 1_000
const preparationSeconds = 12
const storedPollMs = 10

/** Both are measured without what the receiver and the insertion of the deliveries cost. */
export const delivery: Benchmark = {
  name: 'delivery',
  description:
    'Webhook events to a TLS receiver with keep-alive, by one worker process, from the claim to the stored outcome.\n' +
    'Floor: a loop that only posts the same bodies with the same HTTP client, 64 at a time.',
  durationSeconds: ({ rounds, seconds }) => preparationSeconds + rounds * (4 + 4 * seconds),
  run: measureDelivery,
}

async function measureDelivery({ servers, options, onRound }: BenchContext) {
  await using closing = new AsyncDisposableStack()
  const { folder } = servers
  const program = (name: string) => join(import.meta.dirname, name)
  const { authorityFile } = await loadOrCreateCertificate(folder, new Date())
  const receiverEnv = { RECEIVER_PEM: join(folder, 'webhook-receiver-tls.pem') }
  const receiver = await startServer({ program: program('children/receiver.ts'), env: receiverEnv, folder })
  closing.defer(() => receiver.close())
  const env = { ROLE: 'worker', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_CA_FILE: authorityFile }
  const { tenants } = options
  const fixture = await openFixture({ servers, tenants, database: 'delivery', env })
  closing.defer(() => fixture.close())
  const url = receiver.origin.replace('http:', 'https:')
  await query(fixture, 'update tenant set webhook_url = $1', [`${url}/events`])
  const worker = await startServer({
    program: program('../server/main.ts'),
    env: fixture.env,
    folder,
    portVariable: 'METRICS_PORT',
    healthPath: '/health/live',
  })
  closing.defer(() => worker.close())
  const loop = startChild({ program: program('children/post-loop.ts'), env, folder })
  closing.defer(() => loop.close())
  const targets = [
    {
      target: 'service',
      rounds: [] as RoundResult[],
      round: (count: number) => deliver(fixture, worker, count),
    },
    {
      target: 'floor',
      rounds: [] as RoundResult[],
      round: (count: number) => post(fixture, loop, url, count),
    },
  ]
  const count = perSecondOfRound * options.seconds
  for (let number = 1; number <= options.rounds; number++) {
    onRound(number)
    for (const { round, rounds } of targets) {
      await round(warmUpCount)
      rounds.push(await round(count))
    }
  }
  return {
    table: table(targets, { base: 'floor', unit: 'delivery' }),
    summary: summaryRow('delivery', targets),
  }
}

async function deliver(fixture: Fixture, worker: Child, count: number): Promise<RoundResult> {
  const dueAt = new Date(Date.now() + leadMs)
  await query(
    fixture,
    `with queued as (
       insert into delivery_queue (tenant_id, due_at) select unnest($1::uuid[]), $2::timestamptz
       on conflict (tenant_id) do update set due_at = excluded.due_at
     )
     insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence, state)
     select now(), ($1::uuid[])[1 + n % array_length($1::uuid[], 1)], gen_random_uuid(), $2::timestamptz, 'approved', 1,
       'waiting'
     from generate_series(1, $3::int) as n`,
    [fixture.tenants.map(({ tenantId }) => tenantId), dueAt, count],
  )
  await sleep(Math.max(0, dueAt.getTime() - Date.now()))
  return await measured(fixture, worker, count, async () => {
    const startedAt = performance.now()
    await query(fixture, "select pg_notify('worker_wake', 'deliveries')")
    while (await isAnyLeft(fixture)) await sleep(storedPollMs)
    const [{ failed }] = (await query(
      fixture,
      "select count(*)::int as failed from delivery where state <> 'delivered'",
    )) as [{ failed: number }]
    return { failed, seconds: (performance.now() - startedAt) / 1000 }
  })
}

async function post(fixture: Fixture, loop: Child, url: string, count: number): Promise<RoundResult> {
  const tenantIds = fixture.tenants.map(({ tenantId }) => tenantId)
  const order: PostOrder = { url: `${url}/events`, tenantIds, count }
  return await measured(fixture, loop, count, () => loop.request<PostReport>({ ...order }))
}

async function measured(fixture: Fixture, { cpuUs }: Child, count: number, send: () => Promise<PostReport>) {
  const before = { sender: await cpuUs(), ...(await databaseCpu(fixture)) }
  const { seconds, failed } = await send()
  const after = { sender: await cpuUs(), ...(await databaseCpu(fixture)) }
  if (failed > 0) throw new Error(`delivery: ${failed} of ${count} failed`)
  const perDelivery = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? undefined : (to - from) / count
  return {
    requestsPerSecond: count / seconds,
    cpuUs: perDelivery(before.sender, after.sender)!,
    postgresUs: perDelivery(before.postgresUs, after.postgresUs),
    redisUs: perDelivery(before.redisUs, after.redisUs),
    p50Ms: undefined,
    p99Ms: undefined,
    rejectedShare: 0,
  }
}

/** Whether a delivery is left without an outcome, or waits for another attempt in the near future. */
async function isAnyLeft(fixture: Fixture): Promise<boolean> {
  const [row] = await query(
    fixture,
    `select exists (select from delivery where state = 'new')
       or exists (select from delivery where state = 'in_flight')
       or exists (select from delivery where state = 'waiting' and due_at <= now()) as left`,
  )
  return (row as { left: boolean }).left
}

async function query({ services }: Fixture, text: string, values: unknown[] = []): Promise<unknown[]> {
  return (await services.database.pool.query({ name: '', text, values })).rows
}
