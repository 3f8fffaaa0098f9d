import type { ConnectionOptions } from '#domain/database/connection-options.ts'
import { type WorkerNotifier, type WorkKind, workKinds } from '#domain/ports.ts'
import type { Log } from '../log.ts'
import { listenForNotifications, type Subscriber } from './postgres-listener.ts'
import { createNotifyPool, createPostgresNotifier } from './postgres-notifier.ts'

type Notify = WorkerNotifier['notify']

/** `isForAll`: every worker receives the notification, so one of them is enough to follow it. */
export type Wake = (work: WorkKind, isForAll: boolean) => void

export interface ProcessNotifications {
  notifier: WorkerNotifier
  /** Notifies the workers of all processes. */
  notifyAll: Notify
  /** Calls `wake` for notifications of this process and of others, until closed. */
  listen(wake: Wake): void
  close(): Promise<void>
}

export interface ProcessNotificationsOptions {
  /** Whether this process serves requests, and whether it runs a worker. */
  roles: { api: boolean; worker: boolean }
  /** Of LISTEN and NOTIFY. */
  connection: ConnectionOptions
  log: Log
}

/**
 * Connects what is committed to workers: by a function call within the process, by NOTIFY to other processes. Every worker
 * listens, because API processes without one may run on other machines.
 */
export function createProcessNotifications({
  roles,
  connection,
  log,
}: ProcessNotificationsOptions): ProcessNotifications {
  const closing = new AsyncDisposableStack()
  let wakeLocal: Wake | undefined
  // It connects with the first notification.
  const pool = createNotifyPool(connection)
  pool.on('error', error => log.warn({ err: error }, 'NOTIFY connection lost; reconnecting'))
  closing.defer(() => pool.end())
  const others = createPostgresNotifier(pool, log)
  closing.defer(() => others.close())
  const notifyAll: Notify = work => others.notify('worker_wake', work)
  return {
    notifier: {
      notify(work) {
        if (roles.worker) wakeLocal?.(work, false)
        else notifyAll(work)
      },
    },
    notifyAll,
    listen(wake) {
      wakeLocal = wake
      const subscriber: Subscriber = {
        channels: ['worker_wake'],
        received(_channel, item) {
          const work = workKinds.find(kind => kind === item)
          if (work) wake(work, true)
        },
        connected() {
          for (const work of workKinds) wake(work, true)
        },
      }
      const listener = listenForNotifications(connection, subscriber, log)
      closing.defer(() => listener.close())
    },
    close: () => closing.disposeAsync(),
  }
}
