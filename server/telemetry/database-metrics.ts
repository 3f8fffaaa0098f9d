import { Gauge, type Registry } from 'prom-client'
import type { Database } from '#domain/schema/open-database.ts'

/** The value of the label `pool`. */
const pool = 'primary'

/** Adds what is known without asking the database. */
export function addDatabaseMetrics(
  registry: Registry,
  { usage, clockDifferenceMs }: Pick<Database, 'usage' | 'clockDifferenceMs'>,
): void {
  const registers = [registry]
  new Gauge({
    name: 'age_verification_database_pool_connections',
    help: 'Open connections to PostgreSQL of the pools of this process, by pool and state',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      const { inUse, idle } = usage()
      this.set({ pool, state: 'in_use' }, inUse)
      this.set({ pool, state: 'idle' }, idle)
    },
  })
  new Gauge({
    name: 'age_verification_database_pool_waiting',
    help: 'Statements and transactions of this process that wait for a connection to PostgreSQL, by pool',
    labelNames: ['pool'],
    registers,
    collect() {
      this.set({ pool }, usage().waiting)
    },
  })
  new Gauge({
    name: 'age_verification_database_pool_size',
    help: 'The most connections to PostgreSQL that a pool of this process opens',
    labelNames: ['pool'],
    registers,
    collect() {
      this.set({ pool }, usage().size)
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
