import { setImmediate as readSockets, setTimeout as wait } from 'node:timers/promises'
import { connectPersistently } from './connect-persistently.ts'
import type { ConnectionOptions } from './connection-options.ts'
import type { ServerClient, ServerClientClass } from './server-client.ts'

const heartbeatMs = 250
/** How long a heartbeat may remain unanswered before another connection is opened. */
const silenceMsMax = 750

export interface WatchOptions {
  /** How long a statement may remain unanswered; Infinity where the server has no limit for statements. */
  answerMsMax: number
}

export interface Watch {
  /** Runs a statement on the heartbeat's connection. Rejects at once while the server doesn't answer. */
  query(text: string): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

/**
 * Detects servers that are gone without having closed their connections: a frozen machine, a network that drops
 * packets. TCP takes minutes for that.
 *
 * A dedicated connection has a heartbeat. If it isn't answered in time, but is on a connection opened after it, then
 * every connection that has received nothing since is closed, so that what waits on it fails and its place in the pool
 * is free. A connection also closes when one statement stays unanswered for longer than the server would let it run.
 */
export function watchConnections(connection: ConnectionOptions, { answerMsMax }: WatchOptions): Watch {
  const { openClients } = connection.Client as unknown as ServerClientClass
  const closing = new AbortController()
  const heard = new Map<ServerClient, Heard>()
  let heartbeat: Heartbeat | undefined
  let lostAt: number | undefined
  let replacing: Promise<void> | undefined
  let previousTick = performance.now()

  /** Notes which connections have received something. */
  function listen(now: number): void {
    for (const client of openClients) {
      const known = heard.get(client)
      const bytes = client.receivedBytes
      const isSilent = known?.bytes === bytes
      heard.set(client, {
        bytes,
        at: isSilent ? known.at : now,
        // A statement that was sent on an idle connection has all its time.
        waitingSince: client.isWaiting && isSilent ? known.waitingSince : now,
      })
    }
    for (const client of heard.keys()) if (!openClients.has(client)) heard.delete(client)
  }

  function tick(): void {
    const now = performance.now()
    // After a pause of this process, answers wait to be read.
    const wasPaused = now - previousTick > silenceMsMax
    previousTick = now
    listen(now)
    if (wasPaused) {
      heartbeat?.postpone(now)
      for (const known of heard.values()) known.waitingSince = now
    }
    for (const [client, { waitingSince }] of heard) {
      if (now - waitingSince > answerMsMax) client.destroy(unanswered())
    }
    if (!heartbeat) replacing ??= replace()
    else if (heartbeat.isSilent(now)) replacing ??= replace(heartbeat.sentAt)
    else heartbeat.beat(now)
  }

  /** Opens another connection for the heartbeat; `silentSince` is when the old one's first unanswered one was sent. */
  async function replace(silentSince?: number): Promise<void> {
    const old = heartbeat
    const attempts = new AbortController()
    const signal = AbortSignal.any([closing.signal, attempts.signal])
    old?.answered.then(() => attempts.abort())
    try {
      const client = await connectPersistently(connection, { signal })
      const next = createHeartbeat(client, () => {
        if (heartbeat !== next) return
        heartbeat = undefined
        lostAt = performance.now()
      })
      next.beat(performance.now())
      if (signal.aborted || !(await isAnswered(next))) return client.destroy(unanswered())
      const since = silentSince ?? lostAt
      if (since !== undefined && performance.now() - since > silenceMsMax) closeSilent(since)
      old?.client.destroy(unanswered())
      heartbeat = next
    } catch {
      // The old connection has answered after all, or this is being closed.
    } finally {
      replacing = undefined
    }
  }

  function closeSilent(since: number): void {
    const now = performance.now()
    listen(now)
    for (const [client, { at, bytes }] of heard) {
      // A tick notes up to two intervals late what was received. A server that has never answered is the silent one.
      const isLost = at < since + 2 * heartbeatMs || (bytes === 0 && at < now - heartbeatMs)
      if (isLost && client !== heartbeat?.client) client.destroy(unanswered())
    }
  }

  const timer = setInterval(tick, heartbeatMs)
  timer.unref()
  tick()
  return {
    async query(text) {
      // Nothing was lost before the first connection.
      if (!heartbeat && lostAt === undefined) await replacing
      // After a pause of this process, the answer may have arrived that has not been read yet.
      if (heartbeat?.isSilent(performance.now())) await readSockets()
      if (!heartbeat || heartbeat.isSilent(performance.now())) throw unanswered()
      return await heartbeat.client.query(text)
    },
    async close() {
      clearInterval(timer)
      closing.abort()
      await replacing
      await heartbeat?.client.end().catch(() => undefined)
    },
  }
}

interface Heard {
  bytes: number
  /** When something was received last, or the connection was first seen; `performance.now()`. */
  at: number
  /** Since when it owes an answer. */
  waitingSince: number
}

interface Heartbeat {
  client: ServerClient
  /** When the heartbeat that is not answered yet was sent. */
  sentAt: number
  /** Resolves at the answer to it; never if there is none. */
  answered: Promise<void>
  ended: Promise<unknown>
  isSilent(now: number): boolean
  /** Sends the next one, if the previous one is answered. */
  beat(now: number): void
  postpone(now: number): void
}

function createHeartbeat(client: ServerClient, onEnd: () => void): Heartbeat {
  let isUnanswered = false
  const ended = new Promise(resolve => client.once('end', resolve))
  void ended.then(onEnd)
  const heartbeat: Heartbeat = {
    client,
    sentAt: 0,
    answered: Promise.resolve(),
    ended,
    isSilent: now => isUnanswered && now - heartbeat.sentAt > silenceMsMax,
    beat(now) {
      if (isUnanswered) return
      isUnanswered = true
      heartbeat.sentAt = now
      heartbeat.answered = client.query('select 1').then(
        () => {
          isUnanswered = false
        },
        () => new Promise(() => {}),
      )
    },
    postpone(now) {
      heartbeat.sentAt = now
    },
  }
  return heartbeat
}

async function isAnswered({ answered, ended }: Heartbeat): Promise<boolean> {
  const given = new AbortController()
  const timeout = wait(silenceMsMax, false, { signal: given.signal }).catch(() => false)
  try {
    return await Promise.race([answered.then(() => true), ended.then(() => false), timeout])
  } finally {
    given.abort()
  }
}

function unanswered(): Error {
  return Object.assign(new Error('The PostgreSQL server does not answer'), { code: 'ETIMEDOUT' })
}
