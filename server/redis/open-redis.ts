import { ErrorReply } from 'redis'
import { DomainError } from '#domain/errors.ts'
import type { DomainLog } from '#domain/scope.ts'
import type { RedisSettings } from '../configuration/redis-settings.ts'
import { assertCluster, checkServer } from './check-server.ts'
import { connectTo, connectToCluster, type RedisCommands, type RedisConnection } from './connect.ts'
import { describeForeignKey } from './describe-reply.ts'
import { keepConnected, type RedisConnector } from './keep-connected.ts'
import { probeKey } from './key-names.ts'
import { isRedisAway } from './redis-away.policy.ts'
import { primaryConnector } from './sentinel/connect-to-primary.ts'

const probeTtlMs = 10_000

export type Redis = Awaited<ReturnType<typeof openRedis>>

interface RedisOptions {
  /** Whether a Redis that is away at first is waited for in the background; otherwise `openRedis` rejects. */
  isAwaited?: boolean
}

/**
 * Connects to Redis, and reconnects automatically. While Redis is unavailable, commands fail immediately; a server
 * that accepts connections but doesn't respond counts as unavailable after 2 s. The first server is checked: this rejects
 * with a `StartError` if it is too old, in another mode than the settings say, or a replica. One that was away at first and
 * is found unsuitable later is checked again until it is suitable: callbacks and deliveries go on without Redis.
 */
export async function openRedis(
  settings: RedisSettings,
  log: DomainLog,
  { isAwaited = false }: RedisOptions = {},
) {
  const connector = connectorFor(settings)
  let hasReplicationId: boolean | undefined
  async function connect(): Promise<RedisConnection> {
    if (hasReplicationId !== undefined) return await connector.connect()
    if (settings.mode === 'cluster') await assertCluster(settings.urls, log)
    const connection = await connector.connect()
    try {
      hasReplicationId = await checkServer(connection, settings, log)
      return connection
    } catch (error) {
      connection.destroy()
      throw error
    }
  }
  const isWaitedFor = (error: unknown) => isAwaited && isRedisAway(error)
  const { current, destroy } = await keepConnected({ ...connector, connect }, log, isWaitedFor)
  function connected(): RedisConnection {
    const connection = current()
    if (!connection) throw new Error('Redis is not connected yet')
    return connection
  }
  return {
    /** The commands of the current connection. */
    get commands(): RedisCommands {
      return current()?.commands ?? notConnected
    },
    /**
     * Whether scripts can read the server's replication id, without which nothing is cached (`scripts.ts`). True while it
     * isn't known: then nothing is admitted.
     */
    hasReplicationId: () => hasReplicationId ?? true,
    /** Resolves if the server accepts writes, or every primary of the cluster. */
    async probe(): Promise<void> {
      const { commands, clients } = connected()
      const primaries = clients()
      if (primaries.length === 0) throw new Error('No primary is known')
      await Promise.all([
        commands.hit(probeKey, probeTtlMs),
        ...primaries.map(primary => primary.assertWritable()),
      ])
    },
    /** The server's `INFO`, of one primary of a cluster. */
    info: async (section: string) => await connected().clients()[0]!.info(section),
    destroy,
  }
}

const failToSend = () => Promise.reject(new Error('Redis is not connected yet'))

const notConnected: RedisCommands = {
  admit: failToSend,
  leaseEntry: failToSend,
  storeEntry: failToSend,
  hit: failToSend,
  get: failToSend,
  set: failToSend,
  del: failToSend,
}

function connectorFor(settings: RedisSettings): RedisConnector {
  switch (settings.mode) {
    case 'standalone':
      return { connect: () => connectTo(settings.url), close() {} }
    case 'cluster':
      return { connect: () => connectToCluster(settings.urls), close() {} }
    case 'sentinel':
      return primaryConnector(settings)
  }
}

/**
 * Runs Redis commands. Throws `REDIS_ERROR` for any failure that isn't a `DomainError`. Its cause names the given keys where
 * one of them has something else than the service stores.
 */
export async function withRedis<Reply>(
  command: () => Promise<Reply>,
  keys: () => readonly string[] = () => [],
): Promise<Reply> {
  try {
    return await command()
  } catch (error) {
    if (error instanceof DomainError) throw error
    const foreign = error instanceof ErrorReply ? describeForeignKey(error, keys()) : undefined
    throw new DomainError('REDIS_ERROR', { cause: foreign ?? error })
  }
}
