import { Agent, type RequestOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContext } from 'node:tls'

interface ReceiverAgentOptions {
  lookup: LookupFunction
  secureContext: SecureContext
  /** Older connections aren't reused, so that changed DNS records take effect. */
  connectionAgeMsMax: number
}

/** Less than the 2 s after which gunicorn closes, others later; a receiver's `Keep-Alive: timeout=` can shorten it. */
const idleMs = 1_500

/** Idle connections to one receiver of a tenant at most: as many as it has attempts. */
const idleMax = 8

/** Node's agent, with connections to checked addresses that tenants never share. */
export class ReceiverAgent extends Agent {
  readonly #connectionAgeMsMax: number
  readonly #openedAt = new WeakMap<Duplex, number>()

  constructor({ connectionAgeMsMax, ...options }: ReceiverAgentOptions) {
    super({
      ...options,
      keepAlive: true,
      timeout: idleMs,
      maxFreeSockets: idleMax,
      autoSelectFamily: true,
      ALPNProtocols: ['http/1.1'],
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED can't disable it.
      rejectUnauthorized: true,
    })
    this.#connectionAgeMsMax = connectionAgeMsMax
  }

  override getName(options?: RequestOptions & { tenantId?: string }): string {
    return `${options?.tenantId} ${super.getName(options)}`
  }

  override createConnection(...given: Parameters<Agent['createConnection']>): Duplex | null | undefined {
    const socket = super.createConnection(...given)
    if (!socket) return socket
    this.#openedAt.set(socket, performance.now())
    // The receiver has closed its side; half-open connections aren't kept.
    return socket.on('end', () => socket.destroy())
  }

  /** Called by Node when a response is read completely. Returns whether the connection is kept. */
  override keepSocketAlive(socket: Duplex): boolean {
    const age = performance.now() - (this.#openedAt.get(socket) ?? Number.NEGATIVE_INFINITY)
    return (super.keepSocketAlive as (socket: Duplex) => boolean)(socket) && age < this.#connectionAgeMsMax
  }
}
