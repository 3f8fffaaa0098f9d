import pg from 'pg'
import type { WorkerBell } from '#domain/ports.ts'
import type { Log } from './log.ts'
import { createRemoteBell, listenForBells } from './worker-bell.ts'

type Wake = WorkerBell['ring']

export interface Bells {
  bell: WorkerBell
  /** From now on this process's worker is woken by its own requests and by those of other processes. */
  listen(wake: Wake): void
  close(): Promise<void>
}

export interface BellsOptions {
  /** Whether this process answers requests, and whether it does the background work. */
  duties: { api: boolean; worker: boolean }
  databaseUrl: string
  log: Log
}

/**
 * The bell between requests and workers: a call within the process, a notification between processes. Every
 * worker listens, because there may be processes without one on other machines.
 */
export function createBells({ duties, databaseUrl, log }: BellsOptions): Bells {
  const closing = new AsyncDisposableStack()
  let wakeOwn: Wake | undefined
  let ringOthers: Wake | undefined
  if (duties.api && !duties.worker) {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, connectionTimeoutMillis: 5_000 })
    pool.on('error', error => log.warn({ err: error }, 'The connection of the bell was lost'))
    const remote = createRemoteBell(pool, log)
    closing.defer(() => pool.end())
    closing.defer(() => remote.close())
    ringOthers = remote.ring
  }
  return {
    bell: {
      ring(work) {
        wakeOwn?.(work)
        ringOthers?.(work)
      },
    },
    listen(wake) {
      wakeOwn = wake
      const ear = listenForBells(databaseUrl, wake, log)
      closing.defer(() => ear.close())
    },
    close: () => closing.disposeAsync(),
  }
}
