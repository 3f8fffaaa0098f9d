import { DomainError } from '#domain/errors.ts'
import type { DomainLog } from '#domain/scope.ts'
import { assertCluster, checkServer } from './check-server.ts'
import { connectTo, connectToCluster, type RedisCommands } from './connect.ts'
import { keepConnected, type RedisConnector } from './keep-connected.ts'
import { probeKey } from './key-names.ts'
import type { RedisSettings } from './redis-settings.ts'
import { primaryConnector } from './sentinel/connect-to-primary.ts'

const probeTtlMs = 10_000

export type Redis = Awaited<ReturnType<typeof openRedis>>

/**
 * Connects to Redis, and reconnects automatically. While Redis is unavailable, commands fail immediately; a server
 * that accepts connections but doesn't respond counts as unavailable after 2 s. Rejects when the first connection
 * fails, with a `StartError` if the server is too old, in another mode than the settings say, or rejects writes.
 */
export async function openRedis(settings: RedisSettings, log: DomainLog) {
  if (settings.mode === 'cluster') await assertCluster(settings.urls, log)
  const { current, destroy } = await keepConnected(connectorFor(settings), log)
  try {
    const hasReplicationId = await checkServer(current(), settings, log)
    return {
      /** The commands of the current connection. */
      get commands(): RedisCommands {
        return current().commands
      },
      /** Whether scripts can read the server's replication id, without which nothing is cached (`scripts.ts`). */
      hasReplicationId,
      /** Resolves if the server accepts writes, or every primary of the cluster. */
      async probe(): Promise<void> {
        const { commands, clients } = current()
        const primaries = clients()
        if (primaries.length === 0) throw new Error('No primary is known')
        await Promise.all([
          commands.hit(probeKey, probeTtlMs),
          ...primaries.map(primary => primary.assertWritable()),
        ])
      },
      /** The server's `INFO`, of one primary of a cluster. */
      info: (section: string) => current().clients()[0]!.info(section),
      destroy,
    }
  } catch (error) {
    destroy()
    throw error
  }
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

/** Runs Redis commands. Throws `REDIS_ERROR` for any failure that isn't a `DomainError`. */
export async function withRedis<Reply>(command: () => Promise<Reply>): Promise<Reply> {
  try {
    return await command()
  } catch (error) {
    throw error instanceof DomainError ? error : new DomainError('REDIS_ERROR', { cause: error })
  }
}
