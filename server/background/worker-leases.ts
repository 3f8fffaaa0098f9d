import { randomUUID } from 'node:crypto'
import type { StatementPool } from '#domain/database/statement.ts'
import { acquireLease, type LeaseStatus, releaseLeases } from '#domain/lease/acquire-lease.ts'
import type { Clock } from '#domain/ports.ts'

export type WorkerLeases = ReturnType<typeof createWorkerLeases>

/** At most this often the same lease is asked for: meanwhile its last status is returned. */
const recheckMs = 1_000

/** The leases of one worker. */
export function createWorkerLeases(pool: StatementPool, clock: Clock) {
  const owner = randomUUID()
  const checked = new Map<string, { at: number; status: LeaseStatus }>()
  return {
    /** Acquires or renews a lease, unless another worker owns it. Throws `DATABASE_ERROR`. */
    async acquire(name: string, durationMs: number): Promise<LeaseStatus> {
      const last = checked.get(name)
      if (last && performance.now() - last.at < recheckMs) return last.status
      const status = await acquireLease(pool, { name, owner, durationMs }, clock())
      checked.set(name, { at: performance.now(), status })
      return status
    },
    /** Releases all of them, so that other workers needn't wait until they expire. Throws `DATABASE_ERROR`. */
    async release(): Promise<void> {
      checked.clear()
      await releaseLeases(pool, owner)
    },
  }
}
