import { type WorkKind, workKinds } from '#domain/ports.ts'
import type { ConnectionOptions } from '#domain/postgres/index.ts'
import type { Log } from '../logging/log.ts'
import { listenForNotifications } from './postgres-listener.ts'
import { type Channel, createNotifyPool, createPostgresNotifier } from './postgres-notifier.ts'
import { createStatusNotifications } from './status-notifications.ts'
import { StatusWaits } from './status-waits.ts'

/** `isForAll`: every worker receives the notification, so one of them is enough to follow it. */
export type Wake = (work: WorkKind, isForAll: boolean) => void

export type ProcessNotifications = ReturnType<typeof createProcessNotifications>

export interface ProcessNotificationsOptions {
  /** Whether this process serves requests, and whether it runs a worker. */
  roles: { api: boolean; worker: boolean }
  /** Of LISTEN and NOTIFY. */
  connection: ConnectionOptions
  log: Log
}

/**
 * Connects what is committed to workers and to waiting requests: by a function call within the process, by NOTIFY to
 * other processes, which may run on other machines.
 */
export function createProcessNotifications({ roles, connection, log }: ProcessNotificationsOptions) {
  const closing = new AsyncDisposableStack()
  let wakeLocal: Wake | undefined
  let isListening = false
  // It connects with the first notification.
  const pool = createNotifyPool(connection)
  pool.on('error', error => log.warn({ err: error }, 'NOTIFY connection lost; reconnecting'))
  closing.defer(() => pool.end())
  const others = createPostgresNotifier(pool, log)
  closing.defer(() => others.close())
  const statusWaits = new StatusWaits()
  const status = createStatusNotifications(statusWaits, others.notify)
  closing.defer(() => status.close())
  return {
    notifier: {
      notify(work: WorkKind) {
        if (roles.worker) wakeLocal?.(work, false)
        else others.notify('worker_wake', work)
      },
    },
    /** Publishes to the requests of all processes. */
    statusChanges: status.changes,
    /** The requests of this process that wait. */
    statusWaits,
    /** Whether the notifications of other processes are received at this moment. */
    isListening: () => isListening,
    /** Receives the notifications of other processes, until closed; with `wake` also those for workers, and its own. */
    listen(wake?: Wake): void {
      wakeLocal = wake
      const subscriber = {
        channels: chooseChannels(roles),
        received(channel: Channel, item: string) {
          if (channel === 'worker_wake') wakeFor(item)
          else status.received(channel, item)
        },
        connected() {
          isListening = true
          if (wake) for (const work of workKinds) wake(work, true)
          status.connected()
        },
        disconnected() {
          isListening = false
          status.disconnected()
        },
      }
      const listener = listenForNotifications(connection, subscriber, log)
      closing.defer(() => listener.close())
    },
    close: () => closing.disposeAsync(),
  }
  function wakeFor(item: string): void {
    const work = workKinds.find(kind => kind === item)
    if (work) wakeLocal?.(work, true)
  }
}

/** A process that commits changes must know whether requests wait in others. */
function chooseChannels({ api, worker }: ProcessNotificationsOptions['roles']): [Channel, ...Channel[]] {
  if (!api) return ['worker_wake', 'status_waiting']
  return worker ? ['worker_wake', 'status_changed', 'status_waiting'] : ['status_changed', 'status_waiting']
}
