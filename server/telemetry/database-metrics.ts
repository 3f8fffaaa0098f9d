import { Gauge, type Registry } from 'prom-client'
import { cacheBriefly } from '#domain/cache-briefly.ts'
import { findOldestWriter } from '#domain/database/oldest-writer.ts'
import type { Database } from '#domain/schema/open-database.ts'

/** How long the age of the oldest writer counts. */
const cachedMs = 10_000

export function addDatabaseMetrics(
  registry: Registry,
  { pool, clockDifferenceMs }: Pick<Database, 'pool' | 'clockDifferenceMs'>,
): void {
  const registers = [registry]
  new Gauge({
    name: 'age_verification_database_pool_waiting',
    help: 'Statements and transactions of this process that wait for a connection to PostgreSQL',
    registers,
    collect() {
      this.set(pool.waitingCount)
    },
  })
  new Gauge({
    name: 'age_verification_database_clock_difference_seconds',
    help: "Seconds by which the clock of this process is ahead of PostgreSQL's; below 0 if it is behind",
    registers,
    collect() {
      const ms = clockDifferenceMs()
      this.set(ms === undefined ? Number.NaN : ms / 1_000)
    },
  })
  const oldestWriter = cacheBriefly(cachedMs, () => findOldestWriter(pool, {}))
  new Gauge({
    name: 'age_verification_database_oldest_writer_seconds',
    help: 'Seconds for which a transaction that writes has been open, of the oldest one; NaN while that cannot be seen',
    registers,
    async collect() {
      const [writer = { seconds: 0 }] = await oldestWriter(undefined, performance.now()).catch(() => hidden)
      this.set(writer.seconds ?? Number.NaN)
    },
  })
}

const hidden = [{ seconds: null }]
