import { createClient } from 'redis'
import { DomainError } from '#domain/errors.ts'
import type { DomainLog } from '#domain/scope.ts'
import { scripts } from './scripts.ts'

export type Redis = Awaited<ReturnType<typeof openRedis>>

/**
 * Connects to Redis and keeps reconnecting by itself. While it is away commands fail at once; a server that
 * accepts and never answers is given up after 2 s. Rejects when the first connection fails.
 */
export async function openRedis(url: string, log: DomainLog) {
  let wasReady = false
  const client = createClient({
    url,
    scripts,
    disableOfflineQueue: true,
    // Bounds only the wait for the socket, which does not outlive `socketTimeout`; a timer per command costs 6 % of
    // a request's CPU.
    commandOptions: { timeout: 0 },
    pingInterval: 1_000,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: 2_000,
      reconnectStrategy: (retries: number, cause: Error) =>
        wasReady ? Math.min(50 * 2 ** retries, 1_000) : cause,
    },
  })
  let away = false
  client.on('error', (error: Error) => {
    if (wasReady && !away) log.warn({ err: error }, 'Redis is away')
    away = true
  })
  client.on('ready', () => {
    if (wasReady && away) log.info({}, 'Redis is back')
    wasReady = true
    away = false
  })
  await client.connect()
  return client
}

/** Runs a command; a failure is a `REDIS_ERROR`. */
export async function withRedis<Reply>(command: () => Promise<Reply>): Promise<Reply> {
  try {
    return await command()
  } catch (error) {
    throw error instanceof DomainError ? error : new DomainError('REDIS_ERROR', { cause: error })
  }
}
