import type { Socket } from 'node:net'
import type { ConnectionOptions as TlsOptions } from 'node:tls'
import { Client, type ClientConfig, type DatabaseError } from 'pg'
import { ServerRoleError } from './server-role.ts'

export interface Server {
  /** A host name, an address, or the folder of a Unix socket. */
  host: string
  port: number
  /** False: without TLS, as the URL says. Undefined: without TLS, as the URL says nothing. */
  ssl: false | TlsOptions | undefined
  /** The connections to it that are open or being opened. */
  readonly openClients: Set<ServerClient>
}

/** How long a connection may take to end politely. */
const endMsMax = 1_000

/** After these errors the server is gone, or its role is not what it was. */
const lostServer = /^(25006|08...|57P0[1235])$/
/** What a server reports at each change; `on` means that it accepts no writes. */
const roleParameters = ['in_hot_standby', 'default_transaction_read_only']

/** What the types of `pg` leave out; checked with its version 8.23. */
interface Internals {
  connection: NodeJS.EventEmitter & { stream: Socket }
  readyForQuery?: boolean
}

/**
 * A client of `pg` that closes itself when the server reports that it ends or became read-only: such a connection
 * doesn't return to its pool.
 */
export class ServerClient extends Client {
  /** It is one of `openClients` until its connection has ended. */
  constructor({ openClients, ...config }: Server & Omit<ClientConfig, keyof Server>) {
    // Without `ssl`, PGSSLMODE would count.
    super({ ...config, ssl: config.ssl ?? false })
    openClients.add(this)
    this.once('end', () => openClients.delete(this))
    // A connection that ends between two uses must not end the process; the next use of it fails.
    this.on('error', () => {})
    const { connection } = this.#internals
    connection.on('errorMessage', ({ code }: DatabaseError) => {
      if (!lostServer.test(code ?? '')) return
      // After the statement has failed with the server's own error.
      setImmediate(() => this.#stream.destroy())
    })
    // Before, the role may be an old one that a pooler remembers.
    this.once('connect', () => connection.on('parameterStatus', this.#onParameter))
  }

  get #internals(): Internals {
    return this as unknown as Internals
  }

  /** The TCP connection, or TLS over it. */
  get #stream(): Socket {
    return this.#internals.connection.stream
  }

  /** Increases with every byte that the server sends. */
  get receivedBytes(): number {
    return this.#stream.bytesRead
  }

  /** Whether the server has to answer: a statement was sent, or the connection is being opened. */
  get isWaiting(): boolean {
    return this.#internals.readyForQuery !== true
  }

  /** Closes the connection at once, without a word to the server. What is in flight fails with this error. */
  destroy(error: Error): void {
    this.#stream.destroy(error)
  }

  /** Ends the connection politely; one whose server doesn't answer is closed after 1 s. */
  async close(): Promise<void> {
    const late = setTimeout(() => this.destroy(new Error('Connection terminated')), endMsMax)
    await this.end()
    clearTimeout(late)
  }

  #onParameter = ({ parameterName: name, parameterValue: value }: ParameterStatus) => {
    if (value !== 'on' || !roleParameters.includes(name)) return
    this.destroy(new ServerRoleError(this, name === 'in_hot_standby' ? 'a standby' : 'read-only'))
  }
}

interface ParameterStatus {
  parameterName: string
  parameterValue: string
}
