import { setTimeout as wait } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { ConnectionOptions } from './connection-options.ts'
import type { ServerClient } from './server-client.ts'

/** How long an attempt may take before newer ones begin beside it. */
const attemptMsMax = 400
/** Pause after a round in which no server accepted the connection; up to twice as long. */
const pauseMs = 100

export interface PersistenceOptions {
  /** Ends the attempts. */
  signal: AbortSignal
  /** Called with the error of each round that fails. */
  onFailure?: (error: unknown) => void
  config?: ClientConfig
}

/**
 * Connects to the first server that accepts, trying all addresses at the same time, again and again. A server that
 * accepts the TCP connection and then is silent delays no attempt with another one: the first attempt keeps all the
 * time that `connect_timeout` gives, newer ones have 400 ms. Throws only when the signal aborts.
 */
export async function connectPersistently(
  connection: ConnectionOptions,
  { signal, onFailure = () => {}, config = {} }: PersistenceOptions,
): Promise<ServerClient> {
  const connected = Promise.withResolvers<ServerClient>()
  const attempts = new Set<ServerClient>()
  let isDone = false
  const isPending = () => !isDone && !signal.aborted
  async function attempt(address: Awaited<ReturnType<typeof connection.servers.addresses>>[number]) {
    const client = new connection.Client({ ...connection, ...config }) as unknown as ServerClient
    attempts.add(client)
    try {
      await client.connectTo(address)
      if (isDone) return client.destroy(new Error('Connection terminated'))
      isDone = true
      attempts.delete(client)
      connected.resolve(client)
    } finally {
      attempts.delete(client)
    }
  }
  async function round(): Promise<void> {
    const addresses = await connection.servers.addresses()
    if (isPending()) await Promise.any(addresses.map(attempt))
  }
  async function keepTrying(): Promise<void> {
    const patient = { isDone: true }
    while (isPending()) {
      const before = [...attempts]
      const isPatient = patient.isDone
      const attempted = round().catch(error => onFailure((error as AggregateError).errors?.[0] ?? error))
      if (isPatient) {
        patient.isDone = false
        void attempted.then(() => {
          patient.isDone = true
        })
      }
      await Promise.race([attempted, connected.promise, wait(attemptMsMax)])
      if (!isPatient) {
        for (const client of attempts)
          if (!before.includes(client)) client.destroy(new Error('timeout expired'))
      }
      if (isPending()) await wait(pauseMs * (1 + Math.random()))
    }
  }
  // Rejects with the signal's reason, as the result does.
  keepTrying().catch(() => undefined)
  const onAbort = () => connected.reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await connected.promise
  } finally {
    isDone = true
    signal.removeEventListener('abort', onAbort)
    for (const client of attempts) client.destroy(new Error('Connection terminated'))
  }
}
