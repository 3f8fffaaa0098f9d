import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What a network does: `open` forwards; `refused` resets connections, new ones too; `stalled` delivers nothing until it
 * is open again; `cut` loses everything in both directions, and what was lost stays so; `delayed` forwards each chunk
 * later; `one-way` delivers requests and loses the responses.
 */
export type Network = 'open' | 'refused' | 'stalled' | 'cut' | 'delayed' | 'one-way'

interface Connection {
  client: Socket
  server: Socket | undefined
  /** Whether something was lost in a cut network: then nothing more arrives, not even its end. */
  isLost: boolean
}

/** A TCP proxy on loopback between a client and a server, which stands for the network between them. */
export class TcpProxy {
  /** The port to connect to on loopback, read for each connection; undefined refuses it. */
  target: () => number | undefined
  /** How many chunks were lost in a cut network. */
  dropped = 0
  readonly #server: Server
  readonly #connections = new Set<Connection>()
  #network: Network = 'open'
  #delayMs = 0
  #cutText: string | undefined

  private constructor(server: Server, target: TcpProxy['target']) {
    this.#server = server
    this.target = target
    server.on('connection', client => this.#accept(client))
  }

  static async open(target: number | TcpProxy['target']): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true, noDelay: true })
    const proxy = new TcpProxy(server, typeof target === 'number' ? () => target : target)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  /** Changes the network. What was stalled is delivered late; connections that lost responses only are reset. */
  set(network: Network, delayMs = 0): void {
    const lostResponses = this.#network === 'one-way'
    this.#network = network
    this.#delayMs = delayMs
    if (lostResponses || network === 'refused') this.reset()
    for (const connection of this.#connections) {
      for (const socket of [connection.client, connection.server]) {
        if (network === 'stalled') socket?.pause()
        else socket?.resume()
      }
      if (network === 'cut') connection.isLost ||= !connection.server
      else if (network !== 'stalled' && !connection.server && !connection.isLost) this.#connect(connection)
    }
  }

  /** Cuts the network in place of forwarding the first request that contains this text. */
  cutAt(text: string): void {
    this.#cutText = text
  }

  /** Resets all existing connections. */
  reset(): void {
    for (const { client, server } of this.#connections) {
      client.resetAndDestroy()
      server?.resetAndDestroy()
    }
  }

  async close(): Promise<void> {
    this.#server.close()
    this.reset()
    await once(this.#server, 'close')
  }

  #accept(client: Socket): void {
    client.on('error', () => undefined)
    if (this.#network === 'refused') {
      client.resetAndDestroy()
      return
    }
    const connection: Connection = { client, server: undefined, isLost: this.#network === 'cut' }
    this.#connections.add(connection)
    client.once('close', () => this.#end(connection, connection.server))
    if (connection.isLost || this.#network === 'stalled') client.pause()
    else this.#connect(connection)
  }

  #connect(connection: Connection): void {
    const { client } = connection
    const port = this.target()
    if (port === undefined) {
      client.resetAndDestroy()
      return
    }
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    connection.server = server
    server.on('error', () => this.#isLost(connection) || client.resetAndDestroy())
    server.once('close', () => this.#end(connection, client))
    const requests = createOrderedDelay()
    const responses = createOrderedDelay()
    client.on('data', chunk => {
      if (this.#cutText !== undefined && chunk.includes(this.#cutText)) {
        this.#cutText = undefined
        this.set('cut')
      }
      if (this.#loses(connection)) this.dropped += 1
      else requests(() => server.write(chunk), this.#delay)
    })
    client.once('end', () => this.#loses(connection) || requests(() => server.end(), this.#delay))
    server.on('data', chunk => {
      if (this.#loses(connection)) this.dropped += 1
      else if (this.#network !== 'one-way') responses(() => client.write(chunk), this.#delay)
    })
    server.once('end', () => {
      if (!this.#loses(connection) && this.#network !== 'one-way') responses(() => client.end(), this.#delay)
    })
  }

  /** Whether data on the connection is lost now, and from then on. */
  #loses(connection: Connection): boolean {
    connection.isLost ||= this.#network === 'cut'
    return connection.isLost
  }

  /** The same without data. */
  #isLost({ isLost }: Connection): boolean {
    return isLost || this.#network === 'cut'
  }

  /** One side is closed. The other one doesn't see it in a cut network. */
  #end(connection: Connection, other: Socket | undefined): void {
    if (!this.#isLost(connection)) other?.destroy()
    if (!other || other.destroyed) this.#connections.delete(connection)
  }

  get #delay(): number {
    return this.#network === 'delayed' ? this.#delayMs : 0
  }
}

/** Runs tasks after a delay, but never one before an earlier one, as a connection never reorders its bytes. */
function createOrderedDelay(): (task: () => void, delayMs: number) => void {
  const waiting: (() => void)[] = []
  return (task, delayMs) => {
    if (delayMs === 0 && waiting.length === 0) return task()
    waiting.push(task)
    setTimeout(() => waiting.shift()!(), delayMs)
  }
}
