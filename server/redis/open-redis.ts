import { setTimeout as wait } from 'node:timers/promises'
import { ErrorReply } from 'redis'
import type { DomainLog } from '#domain/scope.ts'
import { createOutageLog } from '../logging/outage-log.ts'
import { connectTo, type RedisConnection } from './connect.ts'
import { isRedisAway } from './redis-away.policy.ts'

/** What the name of every key in Redis begins with. */
export const keyPrefix = 'age-verification:'

/** Counted under to find out whether the server accepts writes. */
const probeKey = `${keyPrefix}probe`
const probeTtlMs = 10_000

const retryMsMin = 50
const retryMsMax = 500

export type Redis = Awaited<ReturnType<typeof openRedis>>

interface RedisOptions {
  /** Whether a Redis that is away at first is waited for in the background; otherwise `openRedis` rejects. */
  isAwaited?: boolean
}

/**
 * Connects to Redis, and replaces the connection when it is lost, at first after 50 ms, then at least every 500 ms until that
 * succeeds. Meanwhile commands fail immediately. A server that accepts connections but doesn't respond counts as lost after 2 s.
 */
export async function openRedis(url: string, log: DomainLog, { isAwaited = false }: RedisOptions = {}) {
  const outage = createOutageLog('Redis', log)
  const destroyed = new AbortController()
  const { signal } = destroyed
  let connection = await connectToWritable(url).catch(error => {
    if (!isAwaited || !isRedisAway(error)) throw error
    outage.failed(describe(error))
    return undefined
  })
  async function keepConnected(): Promise<void> {
    while (!signal.aborted) {
      if (connection) {
        const reason = await connection.lost
        if (signal.aborted) return
        outage.failed(describe(reason))
        connection.destroy()
      }
      connection = await reconnect()
      if (signal.aborted) connection.destroy()
      else outage.ended()
    }
  }
  async function reconnect(): Promise<RedisConnection> {
    for (let retryMs = retryMsMin; ; retryMs = Math.min(2 * retryMs, retryMsMax)) {
      await wait(retryMs, undefined, { signal, ref: false })
      try {
        return await connectToWritable(url)
      } catch (error) {
        signal.throwIfAborted()
        outage.failed(describe(error))
      }
    }
  }
  keepConnected().catch(() => undefined)
  async function count(name: string, ttlMs: number): Promise<number> {
    if (!connection) throw new Error('Redis is not connected yet')
    return await connection.count(name, ttlMs)
  }
  return {
    /** Counts under a name that is deleted `ttlMs` after the first time. */
    count,
    /** Resolves if the server accepts writes. */
    probe: () => count(probeKey, probeTtlMs),
    destroy() {
      destroyed.abort()
      connection?.destroy()
    },
  }
}

async function connectToWritable(url: string): Promise<RedisConnection> {
  let connection: RedisConnection | undefined
  try {
    connection = await connectTo(url)
    await connection.count(probeKey, probeTtlMs)
    return connection
  } catch (error) {
    connection?.destroy()
    throw error instanceof ErrorReply ? new ErrorReply(withoutArguments(error.message)) : error
  }
}

/** A server that rejects a command repeats what it was given: a password, too. */
function withoutArguments(message: string): string {
  return message.replace(/, with args beginning with.*/s, '')
}

function describe(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || String(code)
}
