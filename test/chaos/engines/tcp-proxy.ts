import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What a network does: `open` forwards; `refused` resets connections, new ones too; `stalled` delivers nothing until it
 * is open again, as if packets were lost; `delayed` forwards each chunk later; `one-way` delivers requests and loses
 * the responses.
 */
export type Network = 'open' | 'refused' | 'stalled' | 'delayed' | 'one-way'

export interface TcpProxyOptions {
  /** The port to connect to on loopback, read for each connection; undefined refuses it. */
  target: () => number | undefined
}

interface Connection {
  client: Socket
  server: Socket | undefined
}

/** A TCP proxy on loopback between a client and a server, which stands for the network between them. */
export class TcpProxy {
  readonly #target: TcpProxyOptions['target']
  readonly #server: Server
  readonly #connections = new Set<Connection>()
  #network: Network = 'open'
  #delayMs = 0

  private constructor(server: Server, { target }: TcpProxyOptions) {
    this.#server = server
    this.#target = target
    server.on('connection', client => this.#accept(client))
  }

  static async open(options: TcpProxyOptions, port = 0): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true, noDelay: true })
    const proxy = new TcpProxy(server, options)
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  /** Changes the network. What was stalled is delivered late; connections that lost data are reset. */
  set(network: Network, delayMs = 0): void {
    const lost = this.#network === 'one-way'
    this.#network = network
    this.#delayMs = delayMs
    if (lost || network === 'refused') this.resetConnections()
    for (const connection of this.#connections) {
      for (const socket of [connection.client, connection.server]) {
        if (network === 'stalled') socket?.pause()
        else socket?.resume()
      }
      if (network !== 'stalled' && !connection.server) this.#connect(connection)
    }
  }

  resetConnections(): void {
    for (const { client, server } of this.#connections) {
      client.resetAndDestroy()
      server?.resetAndDestroy()
    }
  }

  async close(): Promise<void> {
    this.#server.close()
    this.resetConnections()
    await once(this.#server, 'close')
  }

  #accept(client: Socket): void {
    client.on('error', () => undefined)
    if (this.#network === 'refused') {
      client.resetAndDestroy()
      return
    }
    const connection: Connection = { client, server: undefined }
    this.#connections.add(connection)
    client.once('close', () => {
      this.#connections.delete(connection)
      connection.server?.destroy()
    })
    if (this.#network === 'stalled') client.pause()
    else this.#connect(connection)
  }

  #connect(connection: Connection): void {
    const { client } = connection
    const port = this.#target()
    if (port === undefined) {
      client.resetAndDestroy()
      return
    }
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    connection.server = server
    server.on('error', () => client.resetAndDestroy())
    server.once('close', () => client.destroy())
    const requests = createOrderedDelay()
    const responses = createOrderedDelay()
    const isLost = () => this.#network === 'one-way'
    client.on('data', chunk => requests(() => server.write(chunk), this.#delay))
    client.once('end', () => requests(() => server.end(), this.#delay))
    server.on('data', chunk => isLost() || responses(() => client.write(chunk), this.#delay))
    server.once('end', () => isLost() || responses(() => client.end(), this.#delay))
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
