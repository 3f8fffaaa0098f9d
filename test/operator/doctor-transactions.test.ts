import { expect } from 'chai'
import pg from 'pg'
import { Registry } from 'prom-client'
import { describeTransactions } from '#operator/doctor/database-transactions.ts'
import { addDatabaseMetrics } from '#server/telemetry/database-metrics.ts'
import { createTestDatabase } from '../harness/database.ts'
import { metricOf } from '../harness/metrics.ts'
import { useOpened } from '../harness/use-opened.ts'

const gauge = 'age_verification_database_oldest_writer_seconds'

describe('A transaction of another role that has written', () => {
  const database = useOpened(createTestDatabase)

  it('has an age for the doctor and the metrics, which is not 0 where it cannot be seen', async () => {
    await using closing = new AsyncDisposableStack()
    const [writer, reader] = [
      new pg.Pool({ connectionString: database.url, max: 1 }),
      new pg.Pool({ connectionString: database.url, max: 1 }),
    ]
    for (const pool of [writer, reader]) {
      // The end of the database may overtake that of an idle connection.
      pool.on('connect', client => client.on('error', () => {}))
      closing.defer(() => pool.end())
    }
    const measure = () => {
      const registry = new Registry()
      addDatabaseMetrics(registry, { pool: reader, clockDifferenceMs: () => 0 })
      return metricOf(registry, gauge)
    }
    const describeNow = (secondsMax?: number) => describeTransactions(reader, secondsMax)
    expect([await describeNow(), await measure()]).to.deep.equal(['none that writes is open', 0])
    await writer.query('begin; select pg_current_xact_id()')
    await reader.query('set role pg_signal_backend')
    expect(await describeNow()).to.match(/^pid \d+ \(role postgres\) writes; for how long cannot be seen$/)
    expect(await measure()).to.be.NaN
    await reader.query('set role pg_read_all_stats')
    expect(await describeNow()).to.match(/^the oldest one that writes is open for \d+ s$/)
    expect(await measure()).to.be.above(0)
    const fault = await describeNow(0).catch(error => error)
    expect(fault).to.have.property('name', 'Fault')
    expect(fault.message).to.match(/^pid (\d+) .*: select pg_terminate_backend\(\1\)$/)
    await writer.query('rollback')
  })
})
