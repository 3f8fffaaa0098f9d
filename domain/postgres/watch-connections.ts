import { setImmediate as readSockets } from 'node:timers/promises'
import { connectPersistently } from './connect.ts'
import type { ConnectionOptions } from './connection-options.ts'
import { ConnectionSilence } from './connection-silence.ts'
import type { ServerClient } from './server-client.ts'
import { assertWritable, serverClockQuery } from './server-role.ts'

const heartbeatMs = 250
/** How long a heartbeat may remain unanswered before another connection is opened. */
const silenceMsMax = 750

export interface WatchOptions {
  /** For the heartbeat; it is closed with the watch. */
  client: ServerClient
  /** How long a statement may remain unanswered; Infinity where the server has no limit for statements. */
  answerMsMax: number
}

export interface Watch {
  /** Asks on the heartbeat's connection for the server's role. Rejects at once while it doesn't answer. */
  probe(): Promise<void>
  /** By how much this process's clock is ahead of the server's, at the last heartbeat; undefined before the first. */
  clockDifferenceMs(): number | undefined
  close(): Promise<void>
}

/**
 * Detects servers that are gone without having closed their connections: a frozen machine, a network that drops
 * packets. TCP takes minutes for that.
 *
 * A dedicated connection has a heartbeat. If it is lost, or isn't answered in time, another one is opened to
 * the same address, which may lead to another server by now. If that took long, every connection that has received nothing since is
 * closed, so that what waits on it fails and its place in the pool is free. A connection also closes when one statement
 * stays unanswered for longer than the server would let it run.
 */
export function watchConnections(connection: ConnectionOptions, options: WatchOptions): Watch {
  const closing = new AbortController()
  const silence = new ConnectionSilence(connection.openClients, heartbeatMs)
  let heartbeat: ServerClient | undefined
  /** Since when a heartbeat is unanswered, or its connection is lost. */
  let silentSince: number | undefined
  let replacing: Promise<void> | undefined
  let attempts = new AbortController()
  let previousTick = performance.now()
  let clockDifferenceMs: number | undefined

  function isSilent(): boolean {
    return silentSince !== undefined && performance.now() - silentSince > silenceMsMax
  }

  function use(client: ServerClient): void {
    heartbeat = client
    silentSince = undefined
    client.once('end', () => {
      if (heartbeat !== client) return
      heartbeat = undefined
      silentSince ??= performance.now()
    })
  }

  function beat(client: ServerClient): void {
    silentSince = performance.now()
    const sentAt = Date.now()
    const answered = ({ rows }: { rows: { serverMs: number }[] }) => {
      if (heartbeat !== client) return
      silentSince = undefined
      clockDifferenceMs = (sentAt + Date.now()) / 2 - rows[0]!.serverMs
      attempts.abort()
    }
    client.query<{ serverMs: number }>(serverClockQuery).then(answered, () => {})
  }

  function tick(): void {
    const now = performance.now()
    // After a pause of this process, answers wait to be read.
    const wasPaused = now - previousTick > silenceMsMax
    previousTick = now
    silence.note(now)
    if (wasPaused) {
      silence.excuse(now)
      // Attempts that go on would succeed before the silence is long enough to close anything.
      if (heartbeat && silentSince !== undefined) {
        silentSince = now
        attempts.abort()
      }
    }
    for (const client of silence.waitingLongerThan(options.answerMsMax, now)) client.destroy(unanswered())
    if (heartbeat && silentSince === undefined) beat(heartbeat)
    else if (!heartbeat || isSilent()) replacing ??= replace()
  }

  async function replace(): Promise<void> {
    attempts = new AbortController()
    try {
      const signal = AbortSignal.any([closing.signal, attempts.signal])
      const client = await connectPersistently(connection, { signal })
      if (signal.aborted) return client.destroy(unanswered())
      const lost = isSilent() ? silence.silentSince(silentSince!, performance.now()) : []
      heartbeat?.destroy(unanswered())
      use(client)
      for (const other of lost) if (other !== client) other.destroy(unanswered())
    } catch {
      // The old connection has answered after all, or this is being closed.
    } finally {
      replacing = undefined
    }
  }

  use(options.client)
  const timer = setInterval(tick, heartbeatMs)
  timer.unref()
  return {
    async probe() {
      // After a pause of this process, the answer may have arrived that has not been read yet.
      if (isSilent()) await readSockets()
      if (!heartbeat || isSilent()) throw unanswered()
      await assertWritable(heartbeat)
    },
    clockDifferenceMs: () => clockDifferenceMs,
    async close() {
      clearInterval(timer)
      closing.abort()
      await replacing
      await heartbeat?.close()
    },
  }
}

function unanswered(): Error {
  return Object.assign(new Error('The PostgreSQL server does not answer'), { code: 'ETIMEDOUT' })
}
