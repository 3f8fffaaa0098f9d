import { createClient } from 'redis'
import { scripts } from './scripts.ts'
import { watchResponses } from './watch-responses.ts'

/** The commands that are sent to Redis. */
export interface RedisCommands {
  hit(window: string, ttlMs: number): Promise<number>
}

/** A connection to the server. */
export interface RedisConnection {
  /** They fail immediately where the connection is lost. */
  commands: RedisCommands
  info(section: string): Promise<string>
  /** Resolves, with the reason, once the connection has to be replaced. */
  lost: Promise<Error>
  destroy(): void
}

/**
 * Connects to the server. Rejects if that fails within 2 s a step. Nothing is queued while it is unavailable, and no connection
 * is repaired: it's replaced (`keep-connected.ts`). `socketTimeout` bounds connecting; afterwards `watchResponses` notices a
 * server that hangs.
 */
export async function connectTo(url: string): Promise<RedisConnection> {
  const lost = Promise.withResolvers<Error>()
  const client = createClient({
    url,
    scripts,
    disableOfflineQueue: true,
    // It would only bound the wait for the socket, and a timer per command costs 6 % of a request's CPU.
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: 2_000, socketTimeout: 2_000, reconnectStrategy: false },
  })
  client.on('error', lost.resolve)
  await client.connect()
  const stopWatching = watchResponses(() => [client], lost.resolve)
  return {
    commands: client,
    info: section => client.info(section),
    lost: lost.promise,
    destroy() {
      stopWatching()
      client.destroy()
    },
  }
}
