import type { Socket } from 'node:net'
import type { ConnectionOptions as TlsOptions } from 'node:tls'
import { Client, type ClientConfig, type DatabaseError } from 'pg'
import { deadlineOf } from './deadline.policy.ts'
import { type StatementObserver, sendObserved } from './statement-observer.ts'

export interface Server {
  /** A host name, an address, or the folder of a Unix socket. */
  host: string
  port: number
  /** False: without TLS, as the URL says. Undefined: without TLS, as the URL says nothing. */
  ssl: false | TlsOptions | undefined
  /** How long each statement may remain unanswered. */
  deadlineMs: number
  /** The connections to it that are open or being opened. */
  readonly openClients: Set<ServerClient>
}

interface ServerClientConfig extends Server, Omit<ClientConfig, 'host' | 'port' | 'ssl'> {
  observer?: StatementObserver | undefined
}

/** How long a connection may take to end politely. */
const endMsMax = 1_000

/** After these errors the server is gone, or accepts no writes any more. */
const lostServer = /^(25006|08...|57P0[1235])$/

/**
 * A client of `pg` that closes itself when a statement stays unanswered, or the server says that it ends or is read-only: such
 * a connection doesn't return to its pool. With the first, those close that have been idle since the statement was sent, as
 * their server may be gone, too.
 */
export class ServerClient extends Client {
  readonly #config: ServerClientConfig
  #unanswered = 0
  /** When a statement was answered last; `performance.now()`. */
  #answeredAt: number | undefined

  /** It is one of `openClients` until its connection has ended. */
  constructor(config: ServerClientConfig) {
    // Without `ssl`, PGSSLMODE would count.
    super({ ...config, ssl: config.ssl ?? false })
    this.#config = config
    type Query = (...given: readonly unknown[]) => unknown
    const send: Query = (...given) => (super.query as Query).apply(this, given as unknown[])
    this.query = ((...given: unknown[]) => this.#send(given, send)) as Client['query']
    const { openClients } = config
    openClients.add(this)
    this.once('end', () => openClients.delete(this))
    // A connection that ends between two uses must not end the process; the next use of it fails.
    this.on('error', () => {})
    this.#connection.on('errorMessage', ({ code }: DatabaseError) => {
      if (!lostServer.test(code ?? '')) return
      // After the statement has failed with the server's own error.
      setImmediate(() => this.#connection.stream.destroy())
    })
  }

  /** Sends a statement with its deadline. */
  #send(given: readonly unknown[], send: (...given: readonly unknown[]) => unknown): unknown {
    const sentAt = performance.now()
    const name = (given[0] as { name?: string }).name || 'orm'
    const deadlineMs = deadlineOf(name, this.#config.deadlineMs)
    let isAnswered = false
    // After a pause of this process, the answer may have arrived that has not been read yet.
    const giveUp = () => setImmediate(() => isAnswered || this.#giveUp(sentAt))
    const late = Number.isFinite(deadlineMs) ? setTimeout(giveUp, deadlineMs) : undefined
    this.#unanswered += 1
    const settled = (error?: unknown) => {
      isAnswered = true
      clearTimeout(late)
      this.#unanswered -= 1
      this.#answeredAt = performance.now()
      this.#config.observer?.ended(name, this.#answeredAt - sentAt, error)
    }
    return sendObserved(given, send, settled)
  }

  /** Closes the connection at once, without a word to the server. What is in flight fails with this error. */
  destroy(error: Error): void {
    this.#connection.stream.destroy(error)
  }

  /** Ends the connection politely; one whose server doesn't answer is closed after 1 s. */
  async close(): Promise<void> {
    const late = setTimeout(() => this.destroy(new Error('Connection terminated')), endMsMax)
    await this.end()
    clearTimeout(late)
  }

  #giveUp(sentAt: number): void {
    const error = Object.assign(new Error('The PostgreSQL server does not answer'), { code: 'ETIMEDOUT' })
    this.destroy(error)
    for (const other of this.#config.openClients) if (other.#isIdleSince(sentAt)) other.destroy(error)
  }

  #isIdleSince(time: number): boolean {
    return this.#unanswered === 0 && this.#answeredAt !== undefined && this.#answeredAt < time
  }

  /** What the types of `pg` leave out; checked with its version 8.23. */
  get #connection(): NodeJS.EventEmitter & { stream: Socket } {
    return (this as unknown as { connection: NodeJS.EventEmitter & { stream: Socket } }).connection
  }
}
