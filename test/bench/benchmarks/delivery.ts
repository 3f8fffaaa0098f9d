import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { loadOrCreateCertificate } from '#development/webhook-receiver/certificate.ts'
import { stored } from '../../harness/stored.ts'
import type { BenchContext, Benchmark } from '../benchmark.ts'
import type { Child } from '../children/start-child.ts'
import type { Fixture } from '../fixture/fixture.ts'
import { measureCpu, toCosts } from '../fixture/measure-cpu.ts'
import { serviceProcess } from '../fixture/service-process.ts'
import type { Values } from '../report/table.ts'

const perSecondOfRound = 6_000
/** Sent before each round, so that connections are open, as they are where events arrive all the time. */
const warmUpCount = 2_000
const storedPollMs = 10

/** Measured without what the receiver and the insertion of the deliveries cost. */
export const delivery: Benchmark = {
  name: 'delivery',
  description:
    'Webhook events to a TLS receiver with keep-alive, by one worker process, from the claim to the stored outcome.',
  async prepare(context) {
    const { fixture, options } = context
    const { worker, url } = await startProcesses(context)
    await stored(fixture, 'update tenant set webhook_url = $1', [url])
    // Other benchmarks have queued theirs.
    await stored(fixture, 'delete from delivery')
    return async () => {
      const count = perSecondOfRound * options.seconds
      const ofRound = await storeDeliveries(fixture, count)
      await deliver(fixture, worker, await storeDeliveries(fixture, warmUpCount), warmUpCount)
      return { service: await deliver(fixture, worker, ofRound, count) }
    }
  },
}

async function startProcesses(context: BenchContext) {
  const { folder } = context.fixture
  const { authorityFile } = await loadOrCreateCertificate(folder)
  const receiver = await context.start({
    program: join(import.meta.dirname, '../children/receiver.ts'),
    env: { RECEIVER_PEM: join(folder, 'webhook-receiver-tls.pem') },
    folder,
  })
  const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_CA_FILE: authorityFile, ROLE: 'worker' }
  const { profile } = context.options
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${join(profile, 'delivery')}`] : []
  const worker = await context.start({
    ...serviceProcess(context, { env, flags }),
    portVariable: 'METRICS_PORT',
  })
  return { worker, url: `${receiver.origin.replace('http:', 'https:')}/events` }
}

/**
 * Stores deliveries in a transaction that is open: its commit makes them due. Those of a tenant became due at different
 * times, as they do: the index keeps one entry for equal ones, which stays until all of them are delivered.
 */
async function storeDeliveries({ env, tenants }: Fixture, count: number): Promise<pg.Client> {
  const client = new pg.Client(env.DATABASE_URL)
  await client.connect()
  await client.query('begin')
  await client.query(
    `insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence)
     select now(), ($1::uuid[])[1 + n % array_length($1::uuid[], 1)], gen_random_uuid(), now() - n * interval '1 ms', 'approved', 1
     from generate_series(1, $2::int) as n`,
    [tenants.map(({ tenantId }) => tenantId), count],
  )
  return client
}

async function deliver(fixture: Fixture, worker: Child, client: pg.Client, count: number): Promise<Values> {
  const { result: seconds, cpuUs } = await measureCpu(fixture, [worker], async () => {
    const startedAt = performance.now()
    await client.query('commit')
    while (await isAnyLeft(fixture)) await sleep(storedPollMs)
    return (performance.now() - startedAt) / 1000
  })
  await client.end()
  const failed = await stored(fixture, "select from delivery where state <> 'delivered'")
  if (failed.length > 0) throw new Error(`delivery: ${failed.length} of ${count} failed`)
  return toCosts(cpuUs, count, seconds)
}

/** Whether a delivery is left without an outcome. */
async function isAnyLeft(fixture: Fixture): Promise<boolean> {
  const [row] = await stored<{ left: boolean }>(
    fixture,
    `select exists (select from delivery where state = 'new')
       or exists (select from delivery where state = 'in_flight') as left`,
  )
  return row!.left
}
