import { Client, type Pool } from 'pg'
import type { ConnectionOptions } from '#domain/database/connection-options.ts'
import { type WorkerNotifier, type WorkKind, workKinds } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'

const channel = 'worker_wake'
/** Notifications of the same kind within this time are sent as one. */
const batchMs = 2
const reconnectMs = 1_000

export interface PostgresNotifier extends WorkerNotifier {
  /** Resolves when every pending notification has been sent. */
  close(): Promise<void>
}

/**
 * Notifies workers in other processes with NOTIFY on a dedicated connection. It never runs inside a business
 * transaction, where NOTIFY takes a lock that serializes all commits of the database.
 */
export function createPostgresNotifier(pool: Pool, log: DomainLog): PostgresNotifier {
  const pending = new Set<WorkKind>()
  let sending: Promise<void> = Promise.resolve()
  let batchTimer: NodeJS.Timeout | undefined
  function flush(): Promise<void> {
    clearTimeout(batchTimer)
    sending = sending.then(send)
    return sending
  }
  async function send(): Promise<void> {
    const batch = [...pending]
    pending.clear()
    try {
      for (const work of batch) await pool.query('select pg_notify($1, $2)', [channel, work])
    } catch (error) {
      log.warn({ err: error }, 'NOTIFY failed; workers find the work when they poll')
    }
  }
  return {
    notify(work) {
      if (pending.size === 0) batchTimer = setTimeout(flush, batchMs)
      pending.add(work)
    },
    close: flush,
  }
}

export interface WorkListener {
  close(): Promise<void>
}

/**
 * Listens for the notifications of other processes until it is closed, and reconnects automatically. After each
 * connect it reports every kind of work once, because notifications sent in the meantime are lost. An outage is
 * logged once, and its end once.
 */
export function listenForWork(
  connection: ConnectionOptions,
  onWork: (work: WorkKind) => void,
  log: DomainLog,
): WorkListener {
  let closed = false
  let isLost = false
  let client: Client | undefined
  function lost(error: unknown): void {
    if (isLost || closed) return
    isLost = true
    log.warn({ err: error }, 'LISTEN connection lost; reconnecting')
  }
  function established(): void {
    if (isLost) log.info({}, 'LISTEN connection restored')
    isLost = false
  }
  async function connect(): Promise<void> {
    if (closed) return
    const attempt = new Client(connection)
    client = attempt
    attempt.on('notification', ({ payload }) => {
      const work = workKinds.find(kind => kind === payload)
      if (work) onWork(work)
    })
    attempt.on('error', lost)
    attempt.on('end', () => setTimeout(connect, reconnectMs).unref())
    try {
      await attempt.connect()
      await attempt.query(`listen ${channel}`)
      established()
      workKinds.forEach(onWork)
    } catch (error) {
      lost(error)
      await attempt.end().catch(() => undefined)
    }
  }
  const connected = connect()
  return {
    async close(): Promise<void> {
      closed = true
      await connected
      await client?.end().catch(() => undefined)
    },
  }
}
