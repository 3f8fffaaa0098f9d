import { setTimeout as wait } from 'node:timers/promises'
import { Pool, type PoolConfig } from 'pg'
import { connectPersistently } from '#domain/database/connect-persistently.ts'
import type { ConnectionOptions } from '#domain/database/connection-options.ts'
import type { ServerClient } from '#domain/database/server-client.ts'
import { type WorkerNotifier, type WorkKind, workKinds } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'

const channel = 'worker_wake'
/** Notifications of the same kind within this time are sent as one. */
const batchMs = 2
/** Between two heartbeats of the LISTEN connection. */
const heartbeatMs = 500
/** How long a statement on the LISTEN or NOTIFY connection may remain unanswered. */
const answerMsMax = 1_000

export interface PostgresNotifier extends WorkerNotifier {
  /** Resolves when every pending notification has been sent. */
  close(): Promise<void>
}

/** One connection. It is replaced when a statement on it isn't answered in time. */
export function createNotifyPool(connection: ConnectionOptions): Pool {
  return new Pool({ ...connection, max: 1, query_timeout: answerMsMax } as PoolConfig)
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
 * Listens for the notifications of other processes until it is closed, and reconnects automatically. A heartbeat
 * detects a server that is gone without having closed the connection. After each connect it reports every kind of work
 * once, because notifications sent in the meantime are lost. An outage is logged once, and its end once.
 */
export function listenForWork(
  connection: ConnectionOptions,
  onWork: (work: WorkKind) => void,
  log: DomainLog,
): WorkListener {
  const closing = new AbortController()
  const { signal } = closing
  let isLost = false
  function lost(error: unknown): void {
    if (isLost || signal.aborted) return
    isLost = true
    log.warn({ err: error }, 'LISTEN connection lost; reconnecting')
  }
  function established(): void {
    if (isLost) log.info({}, 'LISTEN connection restored')
    isLost = false
    workKinds.forEach(onWork)
  }
  async function listen(): Promise<void> {
    const client = await connectPersistently(connection, { signal, onFailure: lost })
    client.on('notification', ({ payload }) => {
      const work = workKinds.find(kind => kind === payload)
      if (work) onWork(work)
    })
    client.on('error', lost)
    const ended = new Promise<void>(resolve => client.once('end', resolve))
    try {
      await inTime(client, `listen ${channel}`)
      established()
      while (!signal.aborted) {
        await Promise.race([ended, wait(heartbeatMs, undefined, { signal })])
        await inTime(client, heartbeat)
      }
    } catch (error) {
      lost(error)
    } finally {
      await client.end()
    }
  }
  async function run(): Promise<void> {
    while (!signal.aborted) await listen().catch(lost)
  }
  const running = run()
  return {
    async close(): Promise<void> {
      closing.abort()
      await running
    },
  }
}

/** Keeps the statement that `pg_stat_activity` shows. */
const heartbeat = `listen ${channel}`

/** Closes the connection if the statement isn't answered in time. */
async function inTime(client: ServerClient, statement: string): Promise<void> {
  const timer = setTimeout(() => {
    client.destroy(Object.assign(new Error('The PostgreSQL server does not answer'), { code: 'ETIMEDOUT' }))
  }, answerMsMax)
  try {
    await client.query(statement)
  } finally {
    clearTimeout(timer)
  }
}
