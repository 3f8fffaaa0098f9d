import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressBlock } from './client-address.ts'

interface ConnectionLimits {
  /** Further connections are closed when they are opened. */
  connectionsMax: number
  /** Those of one client address, or of one /64 network of IPv6. */
  connectionsPerAddressMax: number
}

/** The share of the connections that is kept for the load balancer's probes and the provider's callbacks. */
const reservedShare = 0.05
/** How long a reserved connection may take to send its first request, in milliseconds. */
const firstRequestMsMax = 2_000

const reserved = new WeakSet<Socket>()

/** Whether a connection may only be used for probes and callbacks, because all others are taken. */
export function isReserved(socket: Socket): boolean {
  return reserved.has(socket)
}

/** Keeps a server within the limits. `stateOf`: of its latest request. Returns the connections that are open. */
export function limitConnections(
  server: Server,
  { connectionsMax, connectionsPerAddressMax }: ConnectionLimits,
  stateOf: (socket: Socket) => 'none' | 'open' | 'answered',
): ReadonlySet<Socket> {
  const unreserved = connectionsMax - Math.floor(connectionsMax * reservedShare)
  const open = new Set<Socket>()
  const counts = new Map<string, number>()
  server.prependListener('connection', (socket: Socket) => {
    const address = addressBlock(socket.remoteAddress ?? '')
    const count = (counts.get(address) ?? 0) + 1
    if (open.size >= connectionsMax || count > connectionsPerAddressMax) {
      socket.destroy()
      return
    }
    open.add(socket)
    counts.set(address, count)
    socket.once('close', () => {
      open.delete(socket)
      const left = counts.get(address)! - 1
      if (left > 0) counts.set(address, left)
      else counts.delete(address)
    })
    if (open.size <= unreserved) return
    // One at a time, the oldest first: if all ended, all would come back at once.
    const idle = open.values().find(each => stateOf(each) === 'answered')
    if (idle) {
      open.delete(idle)
      idle.destroy()
    } else {
      reserved.add(socket)
      setTimeout(() => {
        if (stateOf(socket) === 'none') socket.destroy()
      }, firstRequestMsMax).unref()
    }
  })
  return open
}
