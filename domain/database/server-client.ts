import { isIP, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { Client, type ClientConfig } from 'pg'
import type { ServerAddress, ServerList, TargetSessionAttributes } from './server-list.ts'
import {
  type ReportedState,
  ServerRoleError,
  type ServerState,
  serverState,
  serverStateQuery,
  unsuitableRole,
} from './server-role.ts'

/** How long an address may take on the first round through several of them. */
const firstRoundMsMax = 500
/** How long a connection may take to end politely. */
const endMsMax = 1_000

/** After these errors the server is gone, or its role is not what it was. */
const lostServer = /^(25006|08...|57P0[1235])$/
/** The same user and password are wrong on every server. */
const rejectedLogin = /^(28...|3D000)$/

type ConnectCallback = ((error: Error) => void) | ((error: null, client: Client) => void)

/** Connections of one URL that are open or being opened. */
export type OpenClients = ReadonlySet<ServerClient>

export interface ServerClient extends Client {
  /** Increases with every byte that the server sends. */
  readonly receivedBytes: number
  /** Whether the server has to answer: a statement was sent, or the connection is being opened. */
  readonly isWaiting: boolean
  /** When the certificate expires that the server has shown; undefined without TLS. */
  readonly certificateExpiresAt: Date | undefined
  /** Connects to one address, without trying others. Only once. */
  connectTo(address: ServerAddress): Promise<void>
  /** Closes the connection at once, without a word to the server. What is in flight fails with this error. */
  destroy(error: Error): void
}

export interface ServerClientClass {
  new (config: ClientConfig): ServerClient
  readonly openClients: OpenClients
}

/**
 * A client of `pg` that connects to the first suitable server of a list, by libpq's rules, and closes itself when the
 * server reports that it ends or became read-only: such a connection doesn't return to its pool.
 */
export function createClientClass(servers: ServerList): typeof Client & ServerClientClass {
  const openClients = new Set<ServerClient>()

  return class extends Client implements ServerClient {
    static readonly openClients = openClients
    readonly #config: ClientConfig
    #reported: ReportedState = {}
    #abandoned: Error | undefined

    constructor(config: ClientConfig) {
      super(config)
      this.#config = config
      // A connection that ends between two uses must not end the process; the next use of it fails.
      this.on('error', () => {})
      this.once('end', () => openClients.delete(this))
    }

    get receivedBytes(): number {
      return streamOf(this).bytesRead
    }

    get isWaiting(): boolean {
      return (this as unknown as { readyForQuery?: boolean }).readyForQuery !== true
    }

    get certificateExpiresAt(): Date | undefined {
      const stream = streamOf(this)
      return stream instanceof TLSSocket ? stream.getPeerX509Certificate()?.validToDate : undefined
    }

    destroy(error: Error): void {
      this.#abandoned = error
      streamOf(this).destroy(error)
    }

    override connect(): Promise<Client>
    override connect(callback: ConnectCallback): void
    override connect(callback?: ConnectCallback): Promise<Client> | undefined {
      const connected = this.#connectToFirst()
      if (!callback) return connected
      const settle = callback as (error: Error | null, client?: Client) => void
      connected.then(
        client => settle(null, client),
        (error: Error) => settle(error),
      )
      return undefined
    }

    async connectTo(address: ServerAddress): Promise<void> {
      openClients.add(this)
      try {
        await this.#attempt(address, servers.target)
        servers.remember(address)
      } catch (error) {
        this.#discard()
        openClients.delete(this)
        throw error
      }
    }

    override end(): Promise<void>
    override end(callback: (error: Error) => void): void
    override end(callback?: (error: Error) => void): Promise<void> | undefined {
      this.#abandoned ??= new Error('Connection terminated')
      const stream = streamOf(this)
      // A server that doesn't answer doesn't end the connection either.
      setTimeout(() => stream.destroy(), endMsMax).unref()
      const ended = stream.destroyed ? Promise.resolve() : super.end()
      if (!callback) return ended
      void ended.then(callback as () => void)
      return undefined
    }

    async #connectToFirst(): Promise<this> {
      openClients.add(this)
      try {
        return await this.#tryEach(rounds(await servers.addresses(), servers.target))
      } catch (error) {
        this.#discard()
        openClients.delete(this)
        throw error
      }
    }

    async #tryEach(attempts: Attempt[]): Promise<this> {
      const slow = new Set<ServerAddress>()
      let failure: unknown
      for (const { address, target, timeoutMs, isRetry } of attempts) {
        if (this.#abandoned) throw this.#abandoned
        if (isRetry && !slow.has(address)) continue
        try {
          await this.#attempt(address, target, timeoutMs)
          servers.remember(address)
          return this
        } catch (error) {
          failure = error
          if (rejectedLogin.test(codeOf(error))) throw error
          if (isTimeout(error)) slow.add(address)
        }
      }
      throw failure
    }

    async #attempt(
      address: ServerAddress,
      target: TargetSessionAttributes,
      timeoutMs = Infinity,
    ): Promise<void> {
      this.#renew(address, timeoutMs)
      const { connection } = this as unknown as { connection: NodeJS.EventEmitter }
      connection.on('parameterStatus', this.#onParameter)
      connection.on('errorMessage', this.#onErrorMessage)
      await this.#settled(super.connect())
      if (target === 'any') return
      const role = unsuitableRole(target, await this.#state(target))
      if (role) throw new ServerRoleError(address, role)
    }

    /** `pg` allows one attempt per client, so each begins with the state of a new one. Listeners stay. */
    #renew(address: ServerAddress, timeoutMs: number): void {
      const { host, port, ssl } = address
      // Only the environment's PGSSLMODE can require TLS without options, which then need the host's name.
      const usesName = ssl === undefined && isIP(address.name) === 0 && Boolean(new Client(this.#config).ssl)
      const limit = Math.min(this.#config.connectionTimeoutMillis || Infinity, timeoutMs)
      const next = new Client({
        ...this.#config,
        host: usesName ? address.name : host,
        port,
        ...(ssl === undefined ? {} : { ssl }),
        ...(limit === Infinity ? {} : { connectionTimeoutMillis: limit }),
      })
      this.#discard()
      const { _events, _eventsCount, _maxListeners, ...state } = next as unknown as Record<string, unknown>
      Object.assign(this, state)
      this.#reported = {}
    }

    /** Closes the connection of an attempt. It reports nothing any more. */
    #discard(): void {
      const { connection } = this as unknown as { connection: NodeJS.EventEmitter }
      connection.removeAllListeners().on('error', () => {})
      streamOf(this).destroy()
    }

    /** `pg` never settles a connect that was ended meanwhile. */
    async #settled(connecting: Promise<unknown>): Promise<void> {
      const ended = Promise.withResolvers<never>()
      const onEnd = () => ended.reject(this.#abandoned ?? new Error('Connection terminated unexpectedly'))
      ended.promise.catch(() => undefined)
      streamOf(this).once('close', onEnd)
      connecting.catch(() => undefined)
      await Promise.race([connecting, ended.promise])
    }

    /** What reports a pooler that remembers an old role is checked before it counts. */
    async #state(target: TargetSessionAttributes): Promise<ServerState> {
      const reported = serverState(this.#reported)
      if (reported && !unsuitableRole(target, reported)) return reported
      const { rows } = await this.query<ServerState>(serverStateQuery)
      return rows[0]!
    }

    readonly #onParameter = ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName !== 'in_hot_standby' && parameterName !== 'default_transaction_read_only') return
      const previous = serverState(this.#reported)
      this.#reported[parameterName] = parameterValue
      const state = serverState(this.#reported)
      if (!previous || !state || servers.target !== 'read-write') return
      const role = unsuitableRole(servers.target, state)
      if (role) this.destroy(new ServerRoleError({ name: this.host, port: this.port }, role))
    }

    readonly #onErrorMessage = (error: Error) => {
      if (!lostServer.test(codeOf(error))) return
      const stream = streamOf(this)
      // After the statement has failed with the server's own error.
      setImmediate(() => stream.destroy())
    }
  }
}

interface ParameterStatus {
  parameterName: string
  parameterValue: string
}

interface Attempt {
  address: ServerAddress
  target: TargetSessionAttributes
  timeoutMs?: number
  /** Only for an address that hasn't answered in time before. */
  isRetry?: boolean
}

/**
 * A single address has all the time of `connect_timeout`. Of several, one that doesn't answer doesn't keep others
 * waiting: it has that time on the second round only.
 */
function rounds(addresses: ServerAddress[], target: TargetSessionAttributes): Attempt[] {
  const round = (options: Omit<Attempt, 'address'>) => addresses.map(address => ({ address, ...options }))
  const quick = addresses.length > 1 ? { timeoutMs: firstRoundMsMax } : undefined
  return quick ? [...round({ target, ...quick }), ...round({ target, isRetry: true })] : round({ target })
}

/** The TCP connection, or TLS over it. */
function streamOf(client: Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/** `pg` gives its timeouts no code. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout expired'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
