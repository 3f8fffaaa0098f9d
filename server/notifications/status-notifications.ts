import { randomUUID } from 'node:crypto'
import { waitSecondsMax } from '#domain/await-change.ts'
import type { StatusChanges } from '#domain/ports.ts'
import type { Channel, PostgresNotifier } from './postgres-notifier.ts'
import type { StatusWaits } from './status-waits.ts'

/** A process with waiting requests announces that at most this often. */
const announceEveryMs = 30_000
/** How long an announcement holds: for every request that began to wait before the next one is due. */
const announcementMs = announceEveryMs + waitSecondsMax * 1_000 + 10_000
/** Far longer than an announcement takes. */
const recheckMs = 1_000

export type StatusNotifications = ReturnType<typeof createStatusNotifications>

/**
 * Publishes changes of statuses to other processes only while requests wait in one of them: a change costs nothing where
 * nobody waits. Processes announce that they have waiting requests. A process that is not connected may miss these
 * announcements: it assumes that there are some, until those have expired that it missed. A request whose process has only
 * just announced it reads its status once more, because a change may have been committed before others knew.
 */
export function createStatusNotifications(
  waits: StatusWaits,
  notify: PostgresNotifier['notify'],
  now = () => performance.now(),
) {
  const processId = randomUUID()
  let announcedAt = Number.NEGATIVE_INFINITY
  let othersWaitUntil = Number.POSITIVE_INFINITY
  let recheck: NodeJS.Timeout | undefined
  function announce(): void {
    const sinceMs = now() - announcedAt
    if (sinceMs < announceEveryMs) return
    announcedAt = now()
    notify('status_waiting', processId)
    if (sinceMs < announcementMs - recheckMs) return
    clearTimeout(recheck)
    recheck = setTimeout(() => waits.wakeAll(), recheckMs).unref()
  }
  const changes: StatusChanges = {
    publish(id) {
      waits.publish(id)
      if (now() < othersWaitUntil) notify('status_changed', id)
    },
    subscribe(wait) {
      const subscription = waits.subscribe(wait)
      if (subscription) announce()
      return subscription
    },
  }
  return {
    changes,
    received(channel: Exclude<Channel, 'worker_wake'>, item: string): void {
      if (channel === 'status_changed') waits.publish(item)
      else if (item !== processId) othersWaitUntil = now() + announcementMs
    },
    connected(): void {
      othersWaitUntil = now() + announcementMs
      waits.wakeAll()
    },
    disconnected(): void {
      othersWaitUntil = Number.POSITIVE_INFINITY
    },
    close: () => clearTimeout(recheck),
  }
}
