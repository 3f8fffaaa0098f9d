import { Pool } from 'pg'
import type { StatementPool } from '#domain/database/statement.ts'
import type { ConnectionOptions } from '#domain/postgres/index.ts'
import type { DomainLog } from '#domain/scope.ts'

/**
 * What processes notify each other of. The payload of `worker_wake` is kinds of work, that of `status_changed`
 * verifications and tenants, and that of `status_waiting` the process in which requests wait for a change.
 */
export type Channel = 'worker_wake' | 'status_changed' | 'status_waiting'

/** How long a statement on the LISTEN or NOTIFY connection may remain unanswered. */
export const answerMsMax = 1_000
/** Notifications within this time are sent with one statement. */
const batchMs = 2
/** A payload may have less than 8,000 bytes; the longest items are UUIDs. */
const payloadItemsMax = 200

export type PostgresNotifier = ReturnType<typeof createPostgresNotifier>

/** One connection. It is replaced when a statement on it isn't answered in time. */
export function createNotifyPool(connection: ConnectionOptions): Pool {
  return new Pool({ ...connection, max: 1, query_timeout: answerMsMax })
}

/**
 * Notifies other processes with NOTIFY on a dedicated connection. It never runs inside a business transaction, where
 * NOTIFY takes a lock that serializes all commits of the database.
 */
export function createPostgresNotifier(pool: StatementPool, log: DomainLog) {
  const pending = new Map<Channel, Set<string>>()
  let sending: Promise<void> = Promise.resolve()
  let batchTimer: NodeJS.Timeout | undefined
  function flush(): Promise<void> {
    clearTimeout(batchTimer)
    sending = sending.then(send)
    return sending
  }
  async function send(): Promise<void> {
    const payloads = [...pending].flatMap(([channel, items]) => splitItems(channel, [...items]))
    pending.clear()
    if (payloads.length === 0) return
    const values = [payloads.map(({ channel }) => channel), payloads.map(({ payload }) => payload)]
    try {
      await pool.query({ name: 'notify', text: notifyStatement, values })
    } catch (error) {
      log.warn({ err: error }, 'NOTIFY failed; what it was about is found by polling')
    }
  }
  return {
    /** Queues a notification; returns immediately and never throws. It is lost while the database is away. */
    notify(channel: Channel, item: string): void {
      if (pending.size === 0) batchTimer = setTimeout(flush, batchMs)
      const items = pending.get(channel)
      if (items) items.add(item)
      else pending.set(channel, new Set([item]))
    },
    /** Resolves when every pending notification has been sent. */
    close: flush,
  }
}

function splitItems(channel: Channel, items: string[]): { channel: Channel; payload: string }[] {
  const payload = items.slice(0, payloadItemsMax).join(' ')
  const rest = items.slice(payloadItemsMax)
  return [{ channel, payload }, ...(rest.length > 0 ? splitItems(channel, rest) : [])]
}

export const notifyStatement =
  'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as sent (channel, payload)'
