import { Agent, type ClientRequest, type ClientRequestArgs } from 'node:http'
import type { Duplex } from 'node:stream'
import type { SecureContext } from 'node:tls'
import { receiverHost } from '#domain/network/webhook-url.policy.ts'
import { connectReceiver } from './connect-receiver.ts'
import { type ResolveOptions, resolveReceiver } from './resolve-receiver.ts'

export interface ReceiverAgentOptions extends ResolveOptions {
  secureContext: SecureContext
  /** Older connections aren't reused, so that changed DNS records take effect. */
  connectionAgeMsMax: number
  /** Connections of a tenant that are kept besides those of its attempts. */
  keptPerTenantMax: number
  /** The same for all tenants together. */
  keptMax: number
}

/** What the agent knows of a request. */
export interface ReceiverRequest {
  tenantId: string
  url: URL
  /** Its deadline. */
  signal: AbortSignal
}

type Options = ClientRequestArgs & { receiver: ReceiverRequest }

/** Less than the 2 s after which gunicorn closes, others later; a receiver's `Keep-Alive: timeout=` can shorten it. */
const idleMs = 1_500

/**
 * Node's agent, over TLS connections to checked addresses. Tenants never share a connection. Connections that no attempt
 * uses are kept, idle or with a response being read; beyond a limit, the least recently used is closed.
 */
export class ReceiverAgent extends Agent {
  readonly #options: ReceiverAgentOptions
  /** Least recently used first. */
  readonly #kept = new Set<Duplex>()
  readonly #openedAt = new WeakMap<Duplex, number>()

  constructor(options: ReceiverAgentOptions) {
    super({ keepAlive: true, timeout: idleMs })
    this.#options = options
  }

  override getName(options?: ClientRequestArgs): string {
    const { tenantId, url } = (options as Options).receiver
    return `${tenantId} ${url.origin}`
  }

  /** Calls back with an `AttemptError`, or with the signal's reason as soon as that aborts. */
  override createConnection(
    options: ClientRequestArgs,
    callback: (error: Error | null, connection: Duplex) => void,
  ): undefined {
    const { url, signal } = (options as Options).receiver
    // Node heeds the first call only.
    const fail = (error: Error) => callback(error, undefined as never)
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
    this.#connect(url, signal).then(connection => callback(null, connection), fail)
  }

  /** The attempt is complete, although its response is still being read. */
  drain(connection: Duplex, request: ReceiverRequest): void {
    this.#kept.add(connection)
    const name = this.getName({ receiver: request } as Options)
    const all = [...(this.freeSockets[name] ?? []), ...(this.sockets[name] ?? [])]
    const kept = all.filter(socket => this.#kept.has(socket))
    if (kept.length > this.#options.keptPerTenantMax) this.#evict(kept[0])
    if (this.#kept.size > this.#options.keptMax) this.#evict(this.#kept.values().next().value)
  }

  /** Called by Node when a response is read completely. */
  override keepSocketAlive(connection: Duplex): boolean {
    this.#kept.delete(connection)
    this.#kept.add(connection)
    const age = performance.now() - this.#openedAt.get(connection)!
    return keepSocketAlive.call(this, connection) && age < this.#options.connectionAgeMsMax
  }

  override reuseSocket(connection: Duplex, request: ClientRequest): void {
    this.#kept.delete(connection)
    super.reuseSocket(connection, request)
  }

  async #connect(url: URL, signal: AbortSignal): Promise<Duplex> {
    const { policy, secureContext } = this.#options
    const host = receiverHost(url)
    const addresses = await resolveReceiver(host, this.#options)
    const port = Number(url.port || 443)
    const socket = await connectReceiver(addresses, { host, port, policy, secureContext, signal })
    this.#openedAt.set(socket, performance.now())
    // The receiver has closed its side; half-open connections aren't kept.
    socket.on('end', () => socket.destroy())
    socket.once('close', () => this.#kept.delete(socket))
    return socket
  }

  #evict(connection: Duplex | undefined): void {
    if (!connection) return
    this.#kept.delete(connection)
    connection.destroy()
  }
}

/** Returns whether the receiver keeps the connection, which Node's types don't say. */
const keepSocketAlive = Agent.prototype.keepSocketAlive as (connection: Duplex) => boolean
