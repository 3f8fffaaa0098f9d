import { setTimeout as wait } from 'node:timers/promises'
import type { DomainLog } from '#domain/scope.ts'
import type { RedisConnection } from './connect.ts'

const retryMsMin = 50
const retryMsMax = 500

export interface RedisConnector {
  connect(): Promise<RedisConnection>
  close(): void
}

/**
 * Connects, and replaces the connection when it is lost, at first after 50 ms, then at least every 500 ms until that
 * succeeds. Meanwhile commands fail immediately; in a cluster those of unavailable nodes. Rejects when the first
 * connection fails.
 */
export async function keepConnected(connector: RedisConnector, log: DomainLog) {
  let connection = await connector.connect().catch(error => {
    connector.close()
    throw error
  })
  const destroyed = new AbortController()
  const { signal } = destroyed
  async function replaceWhenLost(): Promise<void> {
    while (!signal.aborted) {
      const reason = await connection.lost
      if (signal.aborted) return
      log.warn({ err: reason }, 'Redis unavailable; reconnecting')
      const replacement = await reopen()
      connection.destroy()
      connection = replacement
      if (signal.aborted) connection.destroy()
      else log.info({}, 'Redis reconnected')
    }
  }
  async function reopen(): Promise<RedisConnection> {
    for (let retryMs = retryMsMin; ; retryMs = Math.min(2 * retryMs, retryMsMax)) {
      await wait(retryMs, undefined, { signal, ref: false })
      try {
        return await connector.connect()
      } catch {
        signal.throwIfAborted()
      }
    }
  }
  replaceWhenLost().catch(() => undefined)
  return {
    /** The latest connection, whether or not it's lost. */
    current: () => connection,
    destroy() {
      destroyed.abort()
      connection.destroy()
      connector.close()
    },
  }
}
