/** `node test/bench/queue-peers.ts`: measures the queue of deliveries beside pg-boss and graphile-worker. */
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type ClaimedDelivery, claimDeliveries } from '#domain/webhook/claim-deliveries.ts'
import { recordOutcome } from '#domain/webhook/record-outcomes.ts'
import { stored } from '../harness/stored.ts'
import { runProgram } from '../harness/system-program.ts'
import { storeDeliveries } from './benchmarks/delivery.ts'
import { measureCpu, toCosts } from './fixture/measure-cpu.ts'
import { openFixture } from './fixture/open-fixture.ts'
import { openServers } from './fixture/open-servers.ts'
import type { Round } from './report/table.ts'
import { runBenchmark } from './run-benchmark.ts'

interface Queue {
  store(): Promise<unknown>
  /** Claims, runs and completes all that is stored. Resolves when that is committed. */
  work(): Promise<unknown>
  /** Selects the jobs that aren't completed. */
  left: string
}

/** What is used of the two, which are installed for the run only. */
interface PgBoss {
  start(): Promise<unknown>
  stop(): Promise<void>
  createQueue(name: string): Promise<void>
  insert(name: string, jobs: { data: object }[]): Promise<unknown>
  fetch(name: string, options: { batchSize: number }): Promise<object[]>
  complete(name: string, jobs: object[]): Promise<unknown>
}

interface GraphileWorker {
  Logger: new (factory: () => () => void) => object
  runOnce(options: object): Promise<void>
}

const packages = ['pg-boss@12.38.0', 'graphile-worker@0.18.0']
const count = 10_000
/** As many as a worker of the service claims at a time. */
const concurrency = 128
const payload = { tenantId: randomUUID(), verificationId: randomUUID(), status: 'approved', confidence: 1 }
const options = { rounds: 15, seconds: 1, connections: concurrency, tenants: 100, env: {} }

// Servers stop with the process that started them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

await using closing = new AsyncDisposableStack()
const servers = closing.adopt({ ...(await openServers()), redisUrl: undefined }, opened => opened.close())
const fixture = closing.adopt(await openFixture({ ...options, servers }), opened => opened.close())
/** Of all three, so that the driver and its settings are the same. */
const { pool } = fixture.services.database
const folder = join(servers.folder, 'peers')
await runProgram('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', ...packages])
const requirePeer = createRequire(`${folder}/`)
const queues = { service: ownQueue(), 'pg-boss': await pgBoss(), 'graphile-worker': await graphileWorker() }
const description = `Rounds of ${count} jobs that do nothing, however long they take; ${packages.join(', ')}.`
const comparison = { row: 'service', columns: ['all CPU µs', 'per second'] }
const self = { cpuUs: async () => process.cpuUsage().user + process.cpuUsage().system }
const prepare = () => measureRound().then(() => measureRound)
await runBenchmark({ name: 'queue-peers', description, comparison, prepare }, fixture, options)

async function measureRound(): Promise<Round> {
  const round: Round = {}
  for (const [name, { store, work, left }] of Object.entries(queues)) {
    await store()
    // Otherwise autovacuum does it in some of the rounds.
    await stored(fixture, 'vacuum analyze')
    const { result: seconds, cpuUs } = await measureCpu(fixture, [self], async () => {
      const startedAt = performance.now()
      await work()
      return (performance.now() - startedAt) / 1000
    })
    if ((await stored(fixture, left)).length > 0) throw new Error(`Jobs are left: ${left}`)
    round[name] = toCosts(cpuUs, count, seconds)
  }
  return round
}

async function job(): Promise<void> {}

async function drain<Job>(claim: () => Promise<Job[]>, complete: (jobs: Job[]) => Promise<unknown>) {
  for (let jobs = await claim(); jobs.length > 0; jobs = await claim()) {
    await Promise.all(jobs.map(job))
    await complete(jobs)
  }
}

function ownQueue(): Queue {
  const claim = () => claimDeliveries(pool, new Date(), { limit: concurrency, perTenant: 8 })
  const complete = (delivery: ClaimedDelivery) => {
    const outcome = {
      result: 'delivered',
      dueAt: new Date(),
      attemptedAt: new Date(),
      failure: null,
    } as const
    return recordOutcome(pool, { ...delivery, ...outcome })
  }
  return {
    async store() {
      const client = await storeDeliveries(fixture, count)
      await client.query('commit')
      await client.end()
    },
    work: () => drain(claim, deliveries => Promise.all(deliveries.map(complete))),
    left: "select from delivery where state <> 'delivered'",
  }
}

async function pgBoss(): Promise<Queue> {
  const { PgBoss } = requirePeer('pg-boss') as { PgBoss: new (options: object) => PgBoss }
  const db = { executeSql: (sql: string, values?: unknown[]) => pool.query(sql, values) }
  const boss = closing.adopt(new PgBoss({ db, supervise: false, schedule: false }), opened => opened.stop())
  await boss.start()
  await boss.createQueue('deliver')
  const claim = () => boss.fetch('deliver', { batchSize: concurrency })
  return {
    store: () => boss.insert('deliver', Array(count).fill({ data: payload })),
    work: () => drain(claim, jobs => boss.complete('deliver', jobs)),
    left: "select from pgboss.job where state <> 'completed'",
  }
}

/** With its local queue, by which it claims and completes many at a time. */
async function graphileWorker(): Promise<Queue> {
  const { Logger, runOnce } = requirePeer('graphile-worker') as GraphileWorker
  const logger = new Logger(() => () => {})
  const worker = { concurrentJobs: concurrency, localQueue: { size: 500 }, completeJobBatchDelay: 5 }
  const work = () => runOnce({ pgPool: pool, logger, preset: { worker }, taskList: { deliver: job } })
  // Creates its tables.
  await work()
  const row = "row('deliver', $1::json, null, null, null, null, null, null)::graphile_worker.job_spec"
  const insert = `select graphile_worker.add_jobs(array_agg(${row})) from generate_series(1, $2::int)`
  const store = () => stored(fixture, insert, [payload, count])
  return { store, work, left: 'select from graphile_worker._private_jobs' }
}
