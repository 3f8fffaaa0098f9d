import { Gauge, type Registry } from 'prom-client'
import type { Database } from '#domain/schema/open-database.ts'

/** Adds what is known without asking the database. */
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
}
