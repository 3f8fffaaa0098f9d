import pg from 'pg'
import type { ConnectionOptions } from '#domain/database/connection-options.ts'
import type { WorkerNotifier } from '#domain/ports.ts'
import type { Log } from '../log.ts'
import { createPostgresNotifier, listenForWork } from './postgres-notifier.ts'

type Notify = WorkerNotifier['notify']

export interface WorkNotifications {
  notifier: WorkerNotifier
  /** Calls `wake` for notifications of this process and of others, until closed. */
  listen(wake: Notify): void
  close(): Promise<void>
}

export interface WorkNotificationsOptions {
  /** Whether this process serves requests, and whether it runs a worker. */
  roles: { api: boolean; worker: boolean }
  connection: ConnectionOptions
  log: Log
}

/**
 * Connects the notifier to workers: by a function call within the process, by NOTIFY to other processes. Every worker
 * listens, because API processes without one may run on other machines.
 */
export function createWorkNotifications({
  roles,
  connection,
  log,
}: WorkNotificationsOptions): WorkNotifications {
  const closing = new AsyncDisposableStack()
  let wakeLocal: Notify | undefined
  let notifyOthers: Notify | undefined
  if (roles.api && !roles.worker) {
    const pool = new pg.Pool({ ...connection, max: 1 })
    pool.on('error', error => log.warn({ err: error }, 'NOTIFY connection lost; reconnecting'))
    closing.defer(() => pool.end())
    const notifier = createPostgresNotifier(pool, log)
    closing.defer(() => notifier.close())
    notifyOthers = notifier.notify
  }
  return {
    notifier: {
      notify(work) {
        wakeLocal?.(work)
        notifyOthers?.(work)
      },
    },
    listen(wake) {
      wakeLocal = wake
      const listener = listenForWork(connection, wake, log)
      closing.defer(() => listener.close())
    },
    close: () => closing.disposeAsync(),
  }
}
