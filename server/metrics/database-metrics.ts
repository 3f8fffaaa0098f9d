import { Gauge, type Registry } from 'prom-client'
import type { PoolUsage } from '#domain/database/pool-usage.ts'

/** The pools that a process has. */
export type Pools = Record<'primary', () => PoolUsage> & Partial<Record<'standby', () => PoolUsage>>

/** Adds what is read from the pools at each scrape. */
export function addDatabaseMetrics(registry: Registry, pools: Pools): void {
  const registers = [registry]
  const all = Object.entries(pools)
  new Gauge({
    name: 'age_verification_database_pool_connections',
    help: 'Open connections to PostgreSQL of the pools of this process, by pool and state',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, usage] of all) {
        const { inUse, idle } = usage()
        this.set({ pool, state: 'in_use' }, inUse)
        this.set({ pool, state: 'idle' }, idle)
      }
    },
  })
  new Gauge({
    name: 'age_verification_database_pool_waiting',
    help: 'Statements and transactions of this process that wait for a connection to PostgreSQL, by pool',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, usage] of all) this.set({ pool }, usage().waiting)
    },
  })
  new Gauge({
    name: 'age_verification_database_pool_size',
    help: 'The most connections to PostgreSQL that a pool of this process opens',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, usage] of all) this.set({ pool }, usage().size)
    },
  })
}
