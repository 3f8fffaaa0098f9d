import { setTimeout as wait } from 'node:timers/promises'
import type { DomainLog } from '#domain/scope.ts'
import { createOutageLog } from '../logging/outage-log.ts'
import type { RedisConnection } from './connect.ts'

const retryMsMin = 50
const retryMsMax = 500

/**
 * Connects, and replaces the connection when it is lost, at first after 50 ms, then at least every 500 ms until that
 * succeeds. Meanwhile commands fail immediately. If the first attempt fails,
 * `isAwaited` decides whether further ones follow in the same way; otherwise this rejects.
 */
export async function keepConnected(
  connect: () => Promise<RedisConnection>,
  log: DomainLog,
  isAwaited: (error: unknown) => boolean,
) {
  const outage = createOutageLog('Redis', log)
  const destroyed = new AbortController()
  const { signal } = destroyed
  let connection = await connect().catch(error => {
    if (!isAwaited(error)) throw error
    outage.failed(describe(error))
    return undefined
  })
  async function replaceWhenLost(): Promise<void> {
    while (!signal.aborted) {
      if (connection) {
        const reason = await connection.lost
        if (signal.aborted) return
        outage.failed(describe(reason))
      }
      const replacement = await reopen()
      connection?.destroy()
      connection = replacement
      if (signal.aborted) connection.destroy()
      else outage.ended()
    }
  }
  async function reopen(): Promise<RedisConnection> {
    for (let retryMs = retryMsMin; ; retryMs = Math.min(2 * retryMs, retryMsMax)) {
      await wait(retryMs, undefined, { signal, ref: false })
      try {
        return await connect()
      } catch (error) {
        signal.throwIfAborted()
        outage.failed(describe(error))
      }
    }
  }
  replaceWhenLost().catch(() => undefined)
  return {
    /** The latest connection, whether or not it's lost; undefined before the first. */
    current: () => connection,
    destroy() {
      destroyed.abort()
      connection?.destroy()
    },
  }
}

function describe(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || String(code)
}
