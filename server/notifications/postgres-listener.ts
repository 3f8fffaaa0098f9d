import { setTimeout as wait } from 'node:timers/promises'
import { type ConnectionOptions, connectPersistently, type ServerClient } from '#domain/postgres/index.ts'
import type { DomainLog } from '#domain/scope.ts'
import { answerMsMax, type Channel } from './postgres-notifier.ts'

/** Between two heartbeats of the LISTEN connection. */
const heartbeatMs = 500

interface Subscriber {
  channels: readonly [Channel, ...Channel[]]
  received(channel: Channel, item: string): void
  /** After each connect: notifications that were sent before are lost. */
  connected(): void
  /** From now until it is connected again, notifications are lost. */
  disconnected(): void
}

/**
 * Listens for the notifications of all processes until it is closed, and reconnects automatically. A heartbeat detects a
 * server that is gone without having closed the connection. An outage is logged once, and its end once.
 */
export function listenForNotifications(
  connection: ConnectionOptions,
  subscriber: Subscriber,
  log: DomainLog,
): { close(): Promise<void> } {
  const closing = new AbortController()
  const { signal } = closing
  let isLost = false
  function lost(error: unknown): void {
    if (isLost || signal.aborted) return
    isLost = true
    log.warn({ err: error }, 'LISTEN connection lost; reconnecting')
    subscriber.disconnected()
  }
  function established(): void {
    if (isLost) log.info({}, 'LISTEN connection restored')
    isLost = false
    subscriber.connected()
  }
  async function listen(): Promise<void> {
    const client = await connectPersistently(connection, { signal, onFailure: lost })
    client.on('notification', ({ channel, payload = '' }) => {
      for (const item of payload.split(' ')) subscriber.received(channel as Channel, item)
    })
    client.on('error', lost)
    const ended = new Promise<void>(resolve => client.once('end', resolve))
    // The heartbeat comes last, and so remains the statement that `pg_stat_activity` shows.
    const [heartbeat, ...others] = subscriber.channels.map(channel => `listen ${channel}`)
    try {
      for (const statement of [...others, heartbeat!]) await inTime(client, statement)
      established()
      while (!signal.aborted) {
        await Promise.race([ended, wait(heartbeatMs, undefined, { signal })])
        await inTime(client, heartbeat!)
      }
    } catch (error) {
      lost(error)
    } finally {
      await client.close()
    }
  }
  async function run(): Promise<void> {
    while (!signal.aborted) await listen().catch(lost)
  }
  const running = run()
  return {
    async close(): Promise<void> {
      closing.abort()
      await running
    },
  }
}

/** Closes the connection if the statement isn't answered in time. */
async function inTime(client: ServerClient, statement: string): Promise<void> {
  const timer = setTimeout(() => {
    client.destroy(Object.assign(new Error('The PostgreSQL server does not answer'), { code: 'ETIMEDOUT' }))
  }, answerMsMax)
  try {
    await client.query(statement)
  } finally {
    clearTimeout(timer)
  }
}
