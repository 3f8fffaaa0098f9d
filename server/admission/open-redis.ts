import { createClient } from 'redis'
import { DomainError } from '#domain/errors.ts'
import type { DomainLog } from '#domain/scope.ts'
import { checkRedis } from './check-redis.ts'
import { scripts } from './scripts.ts'

export type Redis = Awaited<ReturnType<typeof openRedis>>

/**
 * Connects to Redis, and reconnects automatically. While Redis is unavailable, commands fail immediately; a server
 * that accepts connections but doesn't respond counts as unavailable after 2 s. Rejects when the first connection
 * fails, with a `StartError` if the server is too old or rejects writes.
 */
export async function openRedis(url: string, log: DomainLog) {
  let wasReady = false
  const client = createClient({
    url,
    scripts,
    disableOfflineQueue: true,
    // A command timeout would only bound the wait for the socket, which `socketTimeout` bounds already, and a timer
    // per command costs 6 % of a request's CPU.
    commandOptions: { timeout: 0 },
    pingInterval: 1_000,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: 2_000,
      reconnectStrategy: (retries: number, cause: Error) =>
        wasReady ? Math.min(50 * 2 ** retries, 1_000) : cause,
    },
  })
  let isUnavailable = false
  client.on('error', (error: Error) => {
    if (wasReady && !isUnavailable) log.warn({ err: error }, 'Redis unavailable; reconnecting')
    isUnavailable = true
  })
  client.on('ready', () => {
    if (wasReady && isUnavailable) log.info({}, 'Redis reconnected')
    wasReady = true
    isUnavailable = false
  })
  await client.connect()
  try {
    await checkRedis(client, log)
  } catch (error) {
    client.destroy()
    throw error
  }
  return client
}

/** Runs Redis commands. Throws `REDIS_ERROR` for any failure that isn't a `DomainError`. */
export async function withRedis<Reply>(command: () => Promise<Reply>): Promise<Reply> {
  try {
    return await command()
  } catch (error) {
    throw error instanceof DomainError ? error : new DomainError('REDIS_ERROR', { cause: error })
  }
}
