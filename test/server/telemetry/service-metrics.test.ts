import { expect } from 'chai'
import { Registry } from 'prom-client'
import { int } from '#domain/database/sql-types.ts'
import { statement } from '#domain/database/statement.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { build } from '#server/configuration/version.ts'
import { errorFields } from '#server/logging/error-fields.ts'
import { createStatementMetrics } from '#server/telemetry/statement-metrics.ts'
import { eventually } from '../../harness/eventually.ts'
import { metricOf, seriesOf } from '../../harness/metrics.ts'
import { decisionOn, eventOn, sendCallback, sessionOf } from '../../harness/provider-callback.ts'
import { dayMs } from '../../harness/scope.ts'
import { call, tenantClient } from '../../harness/tenant-client.ts'
import { createTestClock } from '../../harness/test-clock.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

const someId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'

describe('The metrics of a process count', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  const tenant = useTenant(service)

  const metric = (name: string, labels?: Record<string, string>) =>
    metricOf(service.services.registry, `age_verification_${name}`, labels)

  /** By how much a metric grows while the work is done. A request is counted after its response has been sent. */
  async function expectGrowth(
    [name, labels]: [string, Record<string, string>?],
    growth: number,
    work: () => Promise<unknown>,
  ): Promise<void> {
    const before = await metric(name, labels)
    await work()
    await eventually(() => metric(name, labels), { until: value => value >= before + growth })
    expect(await metric(name, labels)).to.equal(before + growth)
  }

  const started = async () => (await tenantClient(service, tenant).start()).body.verificationId as string

  it('requests by declared route and status, with their durations', async () => {
    const labels = { route: 'GET /verify/status', status: '404' }
    await expectGrowth(['http_request_duration_seconds_count', labels], 2, async () => {
      await tenantClient(service, tenant).status(someId)
      await tenantClient(service, tenant).status(someId)
    })
    expect(await metric('http_request_duration_seconds_sum', labels)).to.be.above(0)
  })

  it('errors by route and code, of the tenant API, the console and unknown routes', async () => {
    const status = { route: 'GET /verify/status', code: 'VERIFICATION_NOT_FOUND' }
    await expectGrowth(['http_errors_total', status], 1, () => tenantClient(service, tenant).status(someId))
    const start = { route: 'POST /verify/start', code: 'UNAUTHENTICATED_TENANT' }
    await expectGrowth(['http_errors_total', start], 1, () =>
      tenantClient(service, { apiKey: 'wrong' }).start(),
    )
    const console = { route: '/console', code: 'UNAUTHENTICATED_TENANT' }
    await expectGrowth(['http_errors_total', console], 1, () => call(`${service.baseUrl}/console/session.me`))
    const none = { route: 'none', code: 'ROUTE_NOT_FOUND' }
    await expectGrowth(['http_errors_total', none], 1, () => call(`${service.baseUrl}/unknown`))
  })

  it('verifications that were started; a repeated request with the same Idempotency-Key once', async () => {
    await expectGrowth(['verifications_started_total'], 1, async () => {
      const key = { 'idempotency-key': 'once' }
      await tenantClient(service, tenant).start({}, key)
      await tenantClient(service, tenant).start({}, key)
    })
  })

  it('approvals by what is known of the age, of live and of test tenants', async () => {
    const people = {
      adult: { dateOfBirth: '1990-02-03' },
      minor: { dateOfBirth: '2020-01-01' },
      unknown: { dateOfBirth: '1990-XX-XX' },
      contradictory: { dateOfBirth: '1990-02-03', yearOfBirth: '2012' },
    }
    for (const [age, person] of Object.entries(people)) {
      const labels = { provider: 'veriff', tenants: 'live', age }
      await expectGrowth(['approvals_total', labels], 1, async () => {
        const session = await sessionOf(service, await started())
        for (const status of ['approved', 'declined', 'approved']) {
          await sendCallback(service, decisionOn(session, status, { person }))
        }
      })
      expect(await metric('approvals_total', { ...labels, tenants: 'test' })).to.equal(0)
    }
  })

  it('callbacks by what became of them', async () => {
    const session = await sessionOf(service, await started())
    const opened = eventOn(session, 7001)
    const expected: [string, () => Promise<unknown>][] = [
      ['applied', () => sendCallback(service, opened)],
      ['unchanged', () => sendCallback(service, opened)],
      ['applied', () => sendCallback(service, decisionOn(session, 'approved'))],
      ['contradicted', () => sendCallback(service, decisionOn(session, 'declined'))],
      ['unmatched', () => sendCallback(service, decisionOn({ ...session, vendorData: someId }, 'approved'))],
      ['ignored', () => sendCallback(service, { code: 9999 })],
      ['unauthenticated', () => sendCallback(service, {}, { headers: {} })],
      ['unauthenticated', () => sendCallback(service, {}, { secret: 'wrong' })],
      ['invalid', () => sendCallback(service, 'not JSON')],
    ]
    for (const [result, send] of expected) await expectGrowth(['callbacks_total', { result }], 1, send)
  })

  it('callbacks that failed, and errors of the database', async () => {
    const session = await sessionOf(service, await started())
    const { pool } = service.services.database
    const query = pool.query
    pool.query = () => Promise.reject(Object.assign(new Error('lost'), { code: 'ECONNRESET' }))
    try {
      await expectGrowth(['callbacks_total', { result: 'failed' }], 1, () =>
        sendCallback(service, decisionOn(session, 'approved')),
      )
    } finally {
      pool.query = query
    }
    expect(
      await metric('http_errors_total', { route: 'POST /verify/callback', code: 'DATABASE_ERROR' }),
    ).to.equal(1)
  })

  it('what waits for a connection of the pool', async () => {
    const { database, registry } = service.services
    const { pool } = database
    // Alone: others need a connection themselves, when they are too old.
    const gauge = registry.getSingleMetric('age_verification_database_pool_waiting')!
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    const waiting = pool.connect()
    try {
      await eventually(async () => (await gauge.get()).values[0]!.value >= 1)
    } finally {
      for (const connection of taken) connection.release()
      ;(await waiting).release()
    }
  })

  it('statements that PostgreSQL cancelled, by name in the log, and waits for a connection that timed out', async () => {
    const registry = new Registry()
    const observer = createStatementMetrics(registry)
    const { pool, orm, close } = await openDatabase({ url: service.databaseUrl, poolSize: 1, observer })
    await using closing = new AsyncDisposableStack()
    closing.defer(close)
    const timeouts = (kind: string) =>
      metricOf(registry, 'age_verification_database_timeouts_total', { kind })
    const sleep = statement({
      name: 'sleep-long',
      text: `select 1 as number from pg_sleep(:seconds)`,
      values: { seconds: int },
      row: { number: int },
    })
    await orm.em.execute(`set statement_timeout = '50ms'`)
    const error = await sleep(pool, { seconds: 60 }).catch((error: Error) => error)
    expect(errorFields((error as Error).cause)).to.include({ code: '57014', statement: 'sleep-long' })
    expect(await timeouts('statement')).to.equal(1)
    const labels = { statement: 'sleep-long' }
    expect(await metricOf(registry, 'age_verification_database_statement_seconds_count', labels)).to.equal(1)
    const only = await pool.connect()
    try {
      const late = await sleep(pool, { seconds: 0 }).catch((error: Error) => error)
      expect(errorFields((late as Error).cause)).to.include({
        reason: 'timeout exceeded when trying to connect',
        statement: 'sleep-long',
      })
      expect(await timeouts('pool')).to.equal(1)
      expect(await timeouts('statement')).to.equal(1)
    } finally {
      only.release()
    }
  })

  it('by how much the clock differs from that of PostgreSQL', async () => {
    const difference = async () => {
      await call(`${service.baseUrl}/health/ready`)
      return Math.abs(await metric('database_clock_difference_seconds'))
    }
    // By half of the probe's time it may be wrong.
    await eventually(difference, { until: seconds => seconds < 1 })
  })

  it('the age of the signing key, and the build', async () => {
    const all = await seriesOf(service.services.registry)
    const [key] = all.filter(({ name }) => name === 'age_verification_signing_key_created_timestamp_seconds')
    expect(key!.value * 1_000).to.be.within(Date.now() - 365 * dayMs, Date.now() + dayMs)
    const [info] = all.filter(({ name }) => name === 'age_verification_build_info')
    expect(info!.labels).to.deep.equal({ ...build, node_version: process.version })
  })
})
