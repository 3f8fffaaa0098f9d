import { Gauge, type Registry } from 'prom-client'
import { cacheBriefly } from '#domain/cache-briefly.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import { inspectSessionDeletions } from '#domain/deletion/inspect-session-deletions.ts'
import type { Clock } from '#domain/ports.ts'
import { newestKeyCreatedAt } from '#domain/signing-key/ensure-signing-key.ts'

/** Nothing of it changes much within a minute. */
const cachedMs = 60_000

/** Adds what is stored and somebody has to look after. The signing key, which has to be rotated, may not exist yet. */
export function addStoredMetrics(registry: Registry, pool: StatementPool, clock: Clock): void {
  function add(name: string, help: string, read: () => Promise<number>): void {
    const value = cacheBriefly(cachedMs, () => read().catch(() => Number.NaN))
    new Gauge({
      name,
      help: `${help}; NaN while the database is unavailable`,
      registers: [registry],
      async collect() {
        this.set(await value(undefined, performance.now()))
      },
    })
  }
  add(
    'age_verification_signing_key_created_timestamp_seconds',
    'When the newest signing key was created',
    async () => ((await newestKeyCreatedAt(pool))?.getTime() ?? Number.NaN) / 1_000,
  )
  add(
    'age_verification_session_deletions_oldest_waiting_seconds',
    'For how long the session of an erased verification waits at the identity provider; 0 if none does',
    async () => {
      const { oldestQueuedAt } = await inspectSessionDeletions(pool, { now: clock() })
      return oldestQueuedAt ? (clock().getTime() - oldestQueuedAt.getTime()) / 1_000 : 0
    },
  )
}
