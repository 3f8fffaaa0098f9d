import { Client, type Pool } from 'pg'
import { type WorkerNotifier, type WorkKind, workKinds } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'

const channel = 'worker_bell'
/** Rings of one moment go out together. */
const gatherMs = 2
const reconnectMs = 1_000
const connectMsMax = 5_000

export interface RemoteNotifier extends WorkerNotifier {
  /** Answers when every ring is out. */
  close(): Promise<void>
}

/**
 * Rings in other processes, by a notification of its own connection: never inside the business transaction,
 * where it would make all commits of the database wait for each other.
 */
export function createRemoteNotifier(pool: Pool, log: DomainLog): RemoteNotifier {
  const waiting = new Set<WorkKind>()
  let sending: Promise<void> = Promise.resolve()
  let gathering: NodeJS.Timeout | undefined
  function sendSoon(): void {
    gathering = setTimeout(sendNow, gatherMs)
  }
  function sendNow(): Promise<void> {
    clearTimeout(gathering)
    sending = sending.then(send)
    return sending
  }
  async function send(): Promise<void> {
    const works = [...waiting]
    waiting.clear()
    try {
      for (const work of works) await pool.query('select pg_notify($1, $2)', [channel, work])
    } catch (error) {
      log.warn({ err: error }, 'Workers could not be woken; they look for work by themselves')
    }
  }
  return {
    notify(work) {
      if (waiting.size === 0) sendSoon()
      waiting.add(work)
    },
    close: sendNow,
  }
}

/**
 * Hears the notifications of other processes until it is closed; reconnects by itself. Each time that the line is up, both
 * notifications count as heard: what was rung while it was down is lost.
 */
export function listenForWork(url: string, heard: (work: WorkKind) => void, log: DomainLog) {
  let closed = false
  let client: Client | undefined
  async function connect(): Promise<void> {
    if (closed) return
    const attempt = new Client({
      connectionString: url,
      connectionTimeoutMillis: connectMsMax,
      keepAlive: true,
    })
    client = attempt
    attempt.on('notification', ({ payload }) => {
      const work = workKinds.find(kind => kind === payload)
      if (work) heard(work)
    })
    attempt.on('error', error =>
      log.warn({ err: error }, 'The notifier of other processes is not heard for a moment'),
    )
    attempt.on('end', () => setTimeout(connect, reconnectMs).unref())
    try {
      await attempt.connect()
      await attempt.query(`listen ${channel}`)
      for (const work of workKinds) heard(work)
    } catch {
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
