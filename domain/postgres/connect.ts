import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConnectionOptions } from './connection-options.ts'
import type { Server } from './server-client.ts'
import { ServerClient } from './server-client.ts'
import { assertWritable, ServerRoleError } from './server-role.ts'

/** How long an attempt may take before newer ones begin beside it. */
const attemptMsMax = 400
/** Pause after a round in which no server accepted the connection; up to twice as long. */
const pauseMs = 100

/**
 * Connects to the server that accepts writes, trying all addresses of all hosts at the same time. From then on, pools
 * with these options connect to it too. Throws the driver's error, or a `ServerRoleError`.
 */
export async function connect(connection: ConnectionOptions): Promise<ServerClient> {
  const search = createSearch(connection)
  try {
    return await search.tryAll(connection.connectionTimeoutMillis)
  } finally {
    search.end()
  }
}

export interface PersistenceOptions {
  /** Ends the attempts. */
  signal: AbortSignal
  /** Called with the error of each round that fails. */
  onFailure?: (error: unknown) => void
}

/**
 * The same, again and again. A server that accepts the TCP connection and then is silent, or an address that leads to
 * another server meanwhile, delays no newer attempt: the oldest round keeps all the time that `connect_timeout` gives,
 * those beside it have 400 ms. Throws only when the signal aborts.
 */
export async function connectPersistently(
  connection: ConnectionOptions,
  { signal, onFailure = () => {} }: PersistenceOptions,
): Promise<ServerClient> {
  const search = createSearch(connection)
  const found = Promise.withResolvers<ServerClient>()
  found.promise.catch(() => undefined)
  const onAbort = () => found.reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  let isPatientRoundOver = true
  async function round(): Promise<void> {
    const isPatient = isPatientRoundOver
    isPatientRoundOver = false
    try {
      found.resolve(await search.tryAll(isPatient ? connection.connectionTimeoutMillis : attemptMsMax))
    } catch (error) {
      if (!search.isOver()) onFailure(error)
    }
    if (isPatient) isPatientRoundOver = true
  }
  try {
    for (;;) {
      const tried = Promise.race([round(), wait(attemptMsMax)])
      const paused = tried.then(() => wait(pauseMs * (1 + Math.random())))
      const client = await Promise.race([found.promise, paused])
      if (client) return client
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    search.end()
  }
}

/** Attempts of which one succeeds at most. */
function createSearch({ servers, ...options }: ConnectionOptions) {
  const attempts = new Set<ServerClient>()
  let isOver = false
  async function attempt(address: Server, timeoutMs: number): Promise<ServerClient> {
    if (isOver) throw new Error('Connection terminated')
    const client = new ServerClient(options, address, servers.openClients)
    attempts.add(client)
    const timeout = Object.assign(new Error('timeout expired'), { code: 'ETIMEDOUT' })
    const late = setTimeout(() => client.destroy(timeout), timeoutMs)
    try {
      await client.connect()
      await assertWritable(client)
      if (isOver) throw new Error('Connection terminated')
      isOver = true
      servers.current = address
      return client
    } catch (error) {
      client.destroy(error as Error)
      throw error
    } finally {
      clearTimeout(late)
      attempts.delete(client)
    }
  }
  return {
    /** Throws the most telling error if no address accepts: what a server has answered, if one has. */
    async tryAll(timeoutMs: number): Promise<ServerClient> {
      const addresses = (await Promise.all(servers.all.map(resolveAddresses))).flat()
      try {
        return await Promise.any(addresses.map(address => attempt(address, timeoutMs)))
      } catch (error) {
        const { errors } = error as AggregateError
        throw errors.find(each => each instanceof ServerRoleError || 'severity' in each) ?? errors.at(-1)
      }
    },
    /** Whether one has succeeded, or it was ended. */
    isOver: () => isOver,
    end(): void {
      isOver = true
      for (const client of attempts) client.destroy(new Error('Connection terminated'))
    },
  }
}

/** Names are resolved anew each time. Certificates are compared with the name nevertheless. */
async function resolveAddresses(server: Server): Promise<Server[]> {
  const { host } = server
  if (isIP(host) !== 0 || host.startsWith('/')) return [server]
  try {
    const found = await lookup(host, { all: true })
    return found.map(({ address }) => ({ ...server, host: address }))
  } catch {
    // Connecting to the name reports the error.
    return [server]
  }
}
