import { DomainError } from '#domain/errors.ts'
import type { DomainLog } from '#domain/scope.ts'
import { connectTo, type RedisCommands, type RedisConnection } from './connect.ts'
import { keepConnected } from './keep-connected.ts'
import { probeKey } from './key-names.ts'
import { isRedisAway } from './redis-away.policy.ts'

const probeTtlMs = 10_000

export type Redis = Awaited<ReturnType<typeof openRedis>>

interface RedisOptions {
  /** Whether a Redis that is away at first is waited for in the background; otherwise `openRedis` rejects. */
  isAwaited?: boolean
}

/**
 * Connects to Redis, and reconnects automatically. While Redis is unavailable, commands fail immediately; a server
 * that accepts connections but doesn't respond counts as unavailable after 2 s.
 */
export async function openRedis(url: string, log: DomainLog, { isAwaited = false }: RedisOptions = {}) {
  async function connect(): Promise<RedisConnection> {
    const connection = await connectTo(url)
    try {
      await connection.commands.hit(probeKey, probeTtlMs)
      return connection
    } catch (error) {
      connection.destroy()
      throw error
    }
  }
  const { current, destroy } = await keepConnected(connect, log, error => isAwaited && isRedisAway(error))
  function connected(): RedisConnection {
    const connection = current()
    if (!connection) throw new Error('Redis is not connected yet')
    return connection
  }
  const commands: RedisCommands = { hit: async (...given) => await connected().commands.hit(...given) }
  return {
    commands,
    /** Resolves if the server accepts writes. */
    probe: async () => void (await commands.hit(probeKey, probeTtlMs)),
    /** The server's `INFO`. */
    info: async (section: string) => await connected().info(section),
    destroy,
  }
}

/** Runs Redis commands. Throws `REDIS_ERROR` for any failure that isn't a `DomainError`. */
export async function withRedis<Reply>(command: () => Promise<Reply>): Promise<Reply> {
  try {
    return await command()
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw new DomainError('REDIS_ERROR', { cause: error })
  }
}
