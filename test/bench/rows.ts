import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { newId } from '#domain/ids.ts'
import { planSettings } from '#domain/schema/orm.config.ts'
import { confirmStart } from '#domain/verification/confirm-start.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { reserveStart } from '#domain/verification/reserve-start.ts'
import type { BenchContext, Benchmark } from './benchmark.ts'
import { callback } from './callback.ts'
import { addVerifications } from './fixture/add-verifications.ts'
import { approval } from './fixture/approval.ts'
import { fillVerifications } from './fixture/fill-verifications.ts'
import { type Fixture, openFixture } from './fixture/open-fixture.ts'
import { type Measurement, measure } from './measure.ts'
import { markdown } from './report/markdown.ts'
import { allCpuUs, median, ratio, spread } from './report/statistics.ts'
import type { Scenario } from './scenario.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { startService } from './targets.ts'

const sizes = [10_000, 1_000_000]
const largeSize = 10_000_000
const yearMs = 365 * 24 * 60 * 60 * 1000
const sampledRequests = 20_000
const bufferCalls = 200
/** To insert and vacuum a million verifications. */
const secondsPerMillion = 35
const preparationSeconds = 8

const statusOfAny: Scenario = { ...status, requests: statusRequests }
const measured = [statusOfAny, start, callback]

export const rows: Benchmark = {
  name: 'rows',
  description:
    'status, start and callback by the number of verifications, which are from one year, in 13 partitions. One service\n' +
    'and one database for each number, in the same PostgreSQL. Buffers: pages of PostgreSQL that a call reads, ' +
    `${bufferCalls} calls\non one connection.`,
  durationSeconds({ large, rounds, seconds }) {
    const all = sizesOf(large)
    const filling = (all.reduce((sum, size) => sum + size, 0) / 1_000_000) * secondsPerMillion
    return filling + measured.length * all.length * (preparationSeconds + rounds * (seconds + 0.5))
  },
  run: measureRows,
}

interface Size {
  name: string
  fixture: Fixture
  buffers: Record<string, number>
}

async function measureRows({ servers, options, onRound }: BenchContext) {
  await using closing = new AsyncDisposableStack()
  const opened: Size[] = []
  for (const size of sizesOf(options.large)) {
    const database = `rows_${size}`
    const fixture = await openFixture({ servers, tenants: options.tenants, database })
    closing.defer(() => fixture.close())
    await fill(fixture, size)
    const buffers = await buffersOf(fixture)
    opened.push({ name: size.toLocaleString('en'), fixture, buffers })
  }
  const targets = opened.map(({ name, fixture }) => ({ name, fixture, start: () => startService(fixture) }))
  const lines: string[][] = []
  for (const [index, scenario] of measured.entries()) {
    const measurements = await measure(targets, scenario, options, round =>
      onRound(Math.ceil((index * options.rounds + round) / measured.length)),
    )
    lines.push(...linesOf(scenario.name, measurements, opened))
  }
  return { table: markdown([headings, ...lines]) }
}

const headings = [
  'request',
  'verifications',
  'all CPU µs/request',
  `× ${sizes[0]!.toLocaleString('en')}`,
  'its own CPU µs/request',
  'PostgreSQL CPU µs/request',
  'requests/s',
  'buffers/request',
]

function linesOf(request: string, measurements: readonly Measurement[], opened: readonly Size[]): string[][] {
  const [smallest] = measurements
  return measurements.map(({ target, rounds }, index) => [
    request,
    target,
    spread(rounds, allCpuUs),
    ratio(rounds, smallest!.rounds, allCpuUs),
    median(rounds, ({ cpuUs }) => cpuUs),
    median(rounds, ({ postgresUs }) => postgresUs),
    spread(rounds, ({ requestsPerSecond }) => requestsPerSecond),
    opened[index]!.buffers[request]!.toFixed(1),
  ])
}

function sizesOf(large: boolean): number[] {
  return large ? [...sizes, largeSize] : sizes
}

async function fill({ env, tenants }: Fixture, rowCount: number): Promise<void> {
  // Without the timeout of the service's own connections.
  const pool = new pg.Pool({ connectionString: env.DATABASE_URL!, max: 1 })
  try {
    const [large, ...small] = tenants.map(({ tenantId }) => tenantId)
    const to = new Date()
    const from = new Date(to.getTime() - yearMs)
    const run = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows
    await fillVerifications({ run }, { large: large!, small, rows: rowCount, from, to, isQuiet: true })
  } finally {
    await pool.end()
  }
}

/** Requests for verifications of any age. */
async function statusRequests({ services, tenants }: Fixture) {
  const { rows: sample } = await services.database.pool.query({
    name: '',
    text: `select id, tenant_id as "tenantId" from verification tablesample bernoulli (
        least(100, $1 * 100.0 / (select greatest(1, sum(reltuples)) from pg_class
          where relname ~ '^verification_\\d{4}_\\d{2}$'))) repeatable (1) order by random()`,
    values: [sampledRequests],
  })
  const keys = new Map(tenants.map(({ tenantId, apiKey }) => [tenantId, apiKey]))
  return (sample as { id: string; tenantId: string }[]).map(({ id, tenantId }) => ({
    method: 'GET' as const,
    path: `/verify/status?verificationId=${id}`,
    headers: { 'x-tenant-api-key': keys.get(tenantId)! },
  }))
}

/** The pages that PostgreSQL reads for one call of each kind. */
async function buffersOf(fixture: Fixture): Promise<Record<string, number>> {
  const { env, services, tenants } = fixture
  const connectionString = env.DATABASE_URL!
  const pool = new pg.Pool({ connectionString, max: 1, onConnect: client => client.query(planSettings) })
  const scopeOf = (index: number) => {
    const { tenantId } = tenants[index % tenants.length]!
    const scope = services.scopeFor({ kind: 'api_key', tenantId, apiKeyId: tenantId })
    return { ...scope, pool: pool as never }
  }
  const requests = await statusRequests(fixture)
  const pending = await addVerifications(fixture, 2 * bufferCalls)
  const byKey = new Map(tenants.map(({ apiKey }, index) => [apiKey, index]))
  const calls: Record<string, (call: number) => Promise<unknown>> = {
    status: call => {
      const { path, headers } = requests[call % requests.length]!
      return getVerificationStatus(
        scopeOf(byKey.get(headers['x-tenant-api-key'])!),
        path.slice(path.indexOf('=') + 1),
      )
    },
    async start(call) {
      const scope = scopeOf(call)
      const verificationId = newId(scope.now)
      await reserveStart(scope, verificationId)
      const request = { userAgent: undefined, ip: undefined, response: undefined }
      await confirmStart(scope, { verificationId, providerSessionId: randomUUID(), ...request })
    },
    callback: call => {
      const { id, providerSessionId } = pending[call]!
      return recordProviderResult(scopeOf(call), approval(id, providerSessionId))
    },
  }
  const buffers: Record<string, number> = {}
  try {
    for (const [name, call] of Object.entries(calls)) {
      // The first calls make the plans.
      for (let number = 0; number < bufferCalls; number++) await call(number)
      const before = await buffersSoFar(pool)
      for (let number = bufferCalls; number < 2 * bufferCalls; number++) await call(number)
      buffers[name] = ((await buffersSoFar(pool)) - before) / bufferCalls
    }
  } finally {
    await pool.end()
  }
  return buffers
}

/** Of the pool's only connection: other processes, such as autovacuum, are not counted. */
async function buffersSoFar(pool: pg.Pool): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows: found } = await pool.query(
    'select sum(hits + coalesce(reads, 0))::float8 as buffers from pg_stat_get_backend_io(pg_backend_pid())',
  )
  return found[0].buffers
}
