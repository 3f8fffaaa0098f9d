import { Counter, Histogram, type Registry } from 'prom-client'
import type { StatementObserver } from '#domain/postgres/index.ts'

/** Few, as there is a series of each for every statement that this process sends. */
const bucketsSeconds = [0.001, 0.0025, 0.01, 0.05, 0.25, 1, 5]

const canceled = '57014'
const unanswered = 'ETIMEDOUT'

/** Counts statements by name, which are of a closed set, and what has timed out. */
export function createStatementMetrics(registry: Registry): StatementObserver {
  const registers = [registry]
  const durations = new Histogram({
    name: 'age_verification_database_statement_seconds',
    help: 'Seconds that statements took in PostgreSQL, without the wait for a connection, by name',
    labelNames: ['statement'],
    buckets: bucketsSeconds,
    registers,
  })
  const timeouts = new Counter({
    name: 'age_verification_database_timeouts_total',
    help: 'Waits for a connection of the pool that timed out, and statements that PostgreSQL cancelled or left unanswered, by kind',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of ['pool', 'statement']) timeouts.inc({ kind }, 0)
  const byName = new Map<string, Histogram.Internal<'statement'>>()
  function add(name: string) {
    const ofName = durations.labels(name)
    byName.set(name, ofName)
    return ofName
  }
  return {
    ended(name, durationMs, error) {
      ;(byName.get(name) ?? add(name)).observe(durationMs / 1_000)
      const { code } = (error ?? {}) as { code?: unknown }
      if (code === canceled || code === unanswered) timeouts.inc({ kind: 'statement' })
    },
    poolTimedOut: () => timeouts.inc({ kind: 'pool' }),
  }
}
