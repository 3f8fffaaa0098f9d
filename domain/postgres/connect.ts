import { setTimeout as wait } from 'node:timers/promises'
import type { ConnectionOptions } from './connection-options.ts'
import { ServerClient } from './server-client.ts'
import { prepareSession } from './session-settings.ts'

/** How long an attempt may take before newer ones begin beside it, and how long these may take. */
const attemptMsMax = 400
/** Pause after an attempt that failed; up to twice as long. */
const pauseMs = 100

/**
 * Connects to a server that accepts writes, within `connect_timeout`. Throws the driver's error, or a `ServerRoleError`.
 */
export async function connect(connection: ConnectionOptions): Promise<ServerClient> {
  return await attempt(connection, connection.connectionTimeoutMillis)
}

export interface PersistenceOptions {
  /** Ends the attempts. */
  signal: AbortSignal
  /** Called with the error of each attempt that fails. What it throws ends the attempts, too. */
  onFailure?: (error: unknown) => void
}

/**
 * The same, again and again. A server that accepts the TCP connection and then is silent, or an address that leads to
 * another server meanwhile, delays no newer attempt: one has all the time that `connect_timeout` gives, those beside it
 * have 400 ms. Throws the signal's reason, or what `onFailure` throws.
 */
export async function connectPersistently(
  connection: ConnectionOptions,
  { signal, onFailure = () => {} }: PersistenceOptions,
): Promise<ServerClient> {
  const found = new AbortController()
  const over = AbortSignal.any([signal, found.signal])
  async function repeat(timeoutMs: number): Promise<ServerClient> {
    for (;;) {
      try {
        const client = await attempt(connection, timeoutMs, over)
        if (!over.aborted) {
          found.abort()
          return client
        }
        client.destroy(terminated())
      } catch (error) {
        over.throwIfAborted()
        onFailure(error)
      }
      await wait(pauseMs * (1 + Math.random()), undefined, { signal: over })
    }
  }
  const patient = repeat(connection.connectionTimeoutMillis)
  const quick = wait(attemptMsMax, undefined, { signal: over }).then(() => repeat(attemptMsMax))
  return await Promise.any([patient, quick]).catch(({ errors }: AggregateError) => {
    throw signal.aborted ? signal.reason : errors[0]
  })
}

async function attempt(
  connection: ConnectionOptions,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<ServerClient> {
  signal?.throwIfAborted()
  const client = new ServerClient(connection)
  const late = setTimeout(() => client.destroy(timeout()), timeoutMs)
  const onAbort = () => client.destroy(terminated())
  signal?.addEventListener('abort', onAbort)
  try {
    await client.connect()
    await prepareSession(client)
    return client
  } catch (error) {
    client.destroy(error as Error)
    throw lastCause(error)
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Of a name with several addresses, Node reports the errors of all of them in one that has no message. */
function lastCause(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors.at(-1) : error
}

function timeout(): Error {
  return Object.assign(new Error('timeout expired'), { code: 'ETIMEDOUT' })
}

function terminated(): Error {
  return new Error('Connection terminated')
}
