import type { ConnectionOptions } from '#domain/database/connection-options.ts'
import type { WorkerNotifier, WorkKind } from '#domain/ports.ts'
import type { Log } from '../log.ts'
import { createNotifyPool, createPostgresNotifier, listenForWork } from './postgres-notifier.ts'

type Notify = WorkerNotifier['notify']

/** `isForAll`: every worker receives the notification, so one of them is enough to follow it. */
export type Wake = (work: WorkKind, isForAll: boolean) => void

export interface WorkNotifications {
  notifier: WorkerNotifier
  /** Notifies the workers of all processes. */
  notifyAll: Notify
  /** Calls `wake` for notifications of this process and of others, until closed. */
  listen(wake: Wake): void
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
  let wakeLocal: Wake | undefined
  // It connects with the first notification.
  const pool = createNotifyPool(connection)
  pool.on('error', error => log.warn({ err: error }, 'NOTIFY connection lost; reconnecting'))
  closing.defer(() => pool.end())
  const others = createPostgresNotifier(pool, log)
  closing.defer(() => others.close())
  return {
    notifier: {
      notify(work) {
        if (roles.worker) wakeLocal?.(work, false)
        else others.notify(work)
      },
    },
    notifyAll: others.notify,
    listen(wake) {
      wakeLocal = wake
      const listener = listenForWork(connection, work => wake(work, true), log)
      closing.defer(() => listener.close())
    },
    close: () => closing.disposeAsync(),
  }
}
