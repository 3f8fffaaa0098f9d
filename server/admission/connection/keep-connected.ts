import { setTimeout as wait } from 'node:timers/promises'
import type { DomainLog } from '#domain/scope.ts'
import { probeKey } from '../key-names.ts'
import type { RedisCommands, RedisConnection } from './redis-connection.ts'
import { traceCommands } from './trace-commands.ts'

const retryMsMin = 50
const retryMsMax = 500
const probeTtlMs = 10_000

export interface Redis {
  /** The commands of the current connection. */
  readonly commands: RedisCommands
  /** Resolves if the server accepts writes, or every primary of the cluster. */
  probe(): Promise<void>
  /** The server's `INFO`, of one primary of a cluster. */
  info(section: string): Promise<string>
  destroy(): void
}

export interface RedisConnector {
  connect(): Promise<RedisConnection>
  close(): void
}

/**
 * Connects, and replaces the connection when it is lost, at first after 50 ms, then at least every 500 ms until that
 * succeeds. Meanwhile commands fail immediately; in a cluster those of unavailable nodes. Rejects when the first
 * connection fails.
 */
export async function keepConnected(connector: RedisConnector, log: DomainLog): Promise<Redis> {
  let connection = await connector.connect().catch(error => {
    connector.close()
    throw error
  })
  let commands = traceCommands(connection.commands)
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
      commands = traceCommands(connection.commands)
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
    get commands() {
      return commands
    },
    async probe() {
      const clients = connection.clients()
      if (clients.length === 0) throw new Error('No primary is known')
      await Promise.all([
        connection.commands.hit(probeKey, probeTtlMs),
        ...clients.map(client => client.assertWritable()),
      ])
    },
    info: section => connection.clients()[0]!.info(section),
    destroy() {
      destroyed.abort()
      connection.destroy()
      connector.close()
    },
  }
}
