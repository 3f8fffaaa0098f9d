import pg from 'pg'
import type { WorkerNotifier } from '#domain/ports.ts'
import type { Log } from '../log.ts'
import { createRemoteNotifier, listenForWork } from './worker-notifier.ts'

type Wake = WorkerNotifier['notify']

export interface WorkNotifications {
  notifier: WorkerNotifier
  /** From now on this process's worker is woken by its own requests and by those of other processes. */
  listen(wake: Wake): void
  close(): Promise<void>
}

export interface WorkNotificationsOptions {
  /** Whether this process answers requests, and whether it does the background work. */
  duties: { api: boolean; worker: boolean }
  databaseUrl: string
  log: Log
}

/**
 * The notifier between requests and workers: a call within the process, a notification between processes. Every
 * worker listens, because there may be processes without one on other machines.
 */
export function createWorkNotifications({
  duties,
  databaseUrl,
  log,
}: WorkNotificationsOptions): WorkNotifications {
  const closing = new AsyncDisposableStack()
  let wakeOwn: Wake | undefined
  let ringOthers: Wake | undefined
  if (duties.api && !duties.worker) {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, connectionTimeoutMillis: 5_000 })
    pool.on('error', error => log.warn({ err: error }, 'The connection of the notifier was lost'))
    const remote = createRemoteNotifier(pool, log)
    closing.defer(() => pool.end())
    closing.defer(() => remote.close())
    ringOthers = remote.notify
  }
  return {
    notifier: {
      notify(work) {
        wakeOwn?.(work)
        ringOthers?.(work)
      },
    },
    listen(wake) {
      wakeOwn = wake
      const ear = listenForWork(databaseUrl, wake, log)
      closing.defer(() => ear.close())
    },
    close: () => closing.disposeAsync(),
  }
}
