import { createClient, createCluster, ErrorReply } from 'redis'
import { describeReply } from './describe-reply.ts'
import { type AdmitArguments, type AdmitReply, type EntryLease, type NewEntry, scripts } from './scripts.ts'
import { watchResponses } from './watch-responses.ts'

/** The commands that are sent to Redis. Each has keys of one slot only, so that a cluster can run it. */
export interface RedisCommands {
  admit(given: AdmitArguments): Promise<AdmitReply | null>
  leaseEntry(entry: string, lease: string, ttlMs: number): Promise<EntryLease>
  storeEntry(entry: string, lease: EntryLease, fields: NewEntry): Promise<boolean>
  hit(window: string, ttlMs: number): Promise<number>
  get(key: string): Promise<string | null>
  /** Sets a key that doesn't exist. Returns the value that it has otherwise. */
  set(key: string, value: string, options: { condition: 'NX'; GET: true }): Promise<string | null>
  del(key: string): Promise<number>
}

export type RedisClient = ReturnType<typeof createServerClient>

/** A connection to a primary, or to all primaries of a cluster. */
export interface RedisConnection {
  /** They fail immediately where the connection is lost. */
  commands: RedisCommands
  clients(): RedisClient[]
  /** Resolves, with the reason, once the connection has to be replaced. */
  lost: Promise<Error>
  destroy(): void
}

/**
 * Nothing is queued while a server is unavailable, and no connection is repaired: it's replaced as a whole
 * (`keep-connected.ts`). `socketTimeout` bounds connecting; afterwards `watchResponses` notices a server that hangs.
 */
const clientOptions = {
  scripts,
  disableOfflineQueue: true,
  // It would only bound the wait for the socket, and a timer per command costs 6 % of a request's CPU.
  commandOptions: { timeout: 0 },
  socket: { connectTimeout: 2_000, socketTimeout: 2_000, reconnectStrategy: false },
} as const

function createServerClient(url: string) {
  return createClient({ url, ...clientOptions })
}

/** Connects to one server. Rejects if that fails within 2 s a step. */
export async function connectTo(url: string): Promise<RedisConnection> {
  const lost = Promise.withResolvers<Error>()
  const client = createServerClient(url)
  client.on('error', lost.resolve)
  await client.connect().catch(error => {
    throw error instanceof ErrorReply ? new ErrorReply(describeReply(error)) : error
  })
  return watchConnection(client, () => [client], lost)
}

/**
 * Connects to all primaries of a cluster, which any of the nodes tells. The client follows slots that move. When a node
 * fails, `lost` resolves, and the commands of the other nodes continue to work until the connection is replaced, which
 * succeeds when every slot has a primary that responds.
 */
export async function connectToCluster(urls: readonly string[]): Promise<RedisConnection> {
  const lost = Promise.withResolvers<Error>()
  const { scripts, commandOptions, ...defaults } = clientOptions
  const { protocol, username, password } = new URL(urls[0]!)
  const cluster = createCluster({
    rootNodes: urls.map(url => ({ url })),
    scripts,
    commandOptions,
    defaults: {
      ...defaults,
      ...(username ? { username: decodeURIComponent(username) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      socket: { ...defaults.socket, ...(protocol === 'rediss:' ? { tls: true } : {}) },
    },
  })
  cluster.on('error', lost.resolve)
  cluster.on('node-error', lost.resolve)
  try {
    await cluster.connect()
  } catch (error) {
    cluster.destroy()
    throw error
  }
  const clients = () => cluster.masters.flatMap(({ client }) => (client ? [client as RedisClient] : []))
  return watchConnection(cluster, clients, lost)
}

function watchConnection(
  commands: RedisCommands & { destroy(): void },
  clients: () => RedisClient[],
  { promise, resolve }: PromiseWithResolvers<Error>,
): RedisConnection {
  const stopWatching = watchResponses(clients, resolve)
  return {
    commands,
    clients,
    lost: promise,
    destroy() {
      stopWatching()
      commands.destroy()
    },
  }
}
