import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

export interface TcpAddress {
  host: string
  port: number
}

export interface TcpRelay extends TcpAddress {
  /** Leads new connections to this address, as a DNS record or a floating address that changes. */
  target: TcpAddress
  /**
   * Drops everything in both directions, of existing and of new connections, as a network does that is cut: nothing is
   * reset or closed.
   */
  cut(): void
  /** Cuts in place of forwarding the first chunk to the target that contains this text. */
  cutAt(text: string): void
  /** Forwards new connections again. What was sent on existing ones meanwhile stays lost. */
  mend(): void
  /** How many chunks it has dropped. */
  dropped(): number
  /** Resets all existing connections. */
  reset(): void
  close(): Promise<void>
}

/** Forwards TCP connections on loopback. */
export async function startTcpRelay(target: TcpAddress): Promise<TcpRelay> {
  const sockets = new Set<Socket>()
  let isCut = false
  let cutText: string | undefined
  let dropped = 0
  function keep(socket: Socket): Socket {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer(client => {
    keep(client)
    if (isCut) return client.pause()
    const upstream = keep(createConnection(relay.target))
    client.on('data', data => {
      if (cutText === undefined || !data.includes(cutText)) return
      isCut = true
      cutText = undefined
    })
    join(client, upstream)
    join(upstream, client)
    return undefined
  })
  function join(from: Socket, to: Socket): void {
    let isLost = false
    from.on('data', data => {
      isLost ||= isCut
      if (isLost) dropped++
      else to.write(data)
    })
    // The end of a connection on the other side of a cut isn't seen either.
    from.on('close', () => {
      if (!isCut && !isLost) to.destroy()
    })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const relay: TcpRelay = {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    target,
    cut() {
      isCut = true
    },
    cutAt(text) {
      cutText = text
    },
    mend() {
      isCut = false
    },
    dropped: () => dropped,
    reset() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return relay
}
