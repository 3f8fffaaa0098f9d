import { randomUUID } from 'node:crypto'
import type { StatementPool } from '#domain/database/statement.ts'
import { acquireLease, type LeaseStatus, releaseLeases } from '#domain/lease/acquire-lease.ts'
import type { Clock } from '#domain/ports.ts'

/** The leases of one worker. */
export interface WorkerLeases {
  /** Acquires or renews a lease, unless another worker owns it. Throws `DATABASE_ERROR`. */
  acquire(name: string, durationMs: number): Promise<LeaseStatus>
  /** Releases all of them, so that other workers needn't wait until they expire. Throws `DATABASE_ERROR`. */
  release(): Promise<void>
}

/** At most this often the same lease is asked for: meanwhile its last status is returned. */
const recheckMs = 1_000

export function createWorkerLeases(pool: StatementPool, clock: Clock): WorkerLeases {
  const owner = randomUUID()
  const checked = new Map<string, { at: number; status: LeaseStatus }>()
  return {
    async acquire(name, durationMs) {
      const last = checked.get(name)
      if (last && performance.now() - last.at < recheckMs) return last.status
      const status = await acquireLease(pool, { name, owner, durationMs }, clock())
      checked.set(name, { at: performance.now(), status })
      return status
    },
    async release() {
      checked.clear()
      await releaseLeases(pool, owner)
    },
  }
}
