import { setTimeout as wait } from 'node:timers/promises'
import type { StatementPool } from '#domain/database/statement.ts'
import { listLeases } from '#domain/lease/list-leases.ts'
import { isWorkerRunning } from '#domain/lease/worker-lease.policy.ts'
import type { Clock } from '#domain/ports.ts'
import type { DependencyState } from '../http/health.ts'

const checkEveryMs = 10_000
const retryMs = 2_000

/** Looks every ten seconds whether any worker of the installation runs, so that no probe has to. */
export function watchWorkers(pool: StatementPool, clock: Clock) {
  const closing = new AbortController()
  const { signal } = closing
  let state: DependencyState | undefined
  async function check(): Promise<void> {
    try {
      state = isWorkerRunning(await listLeases(pool, {}), clock()) ? 'up' : 'down'
    } catch {
      // The database is away, which readiness reports.
      state = undefined
    }
  }
  async function watch(): Promise<void> {
    for (;;) {
      await check()
      await wait(state === 'up' ? checkEveryMs : retryMs, undefined, { signal, ref: false })
    }
  }
  watch().catch(() => undefined)
  return {
    /** Undefined while it is not known. */
    state: () => state,
    close: () => closing.abort(),
  }
}
