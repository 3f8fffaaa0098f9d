import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long what a client still sends is read, and discarded, after the last response of its connection. */
const lingerMs = 2_000

/**
 * Closes connections in two steps where the body of the last request still arrives (RFC 9112, section 9.6). Node would
 * destroy the socket with the response: the next bytes of the body get a reset then, and a client or proxy that is still
 * sending sees that reset instead of the response.
 */
export function closeInSteps(
  server: Server,
  latestRequest: (socket: Socket) => IncomingMessage | undefined,
): void {
  server.on('connection', socket => {
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      const request = latestRequest(socket)
      if (!request || request.complete || request.destroyed) {
        destroySoon()
        return
      }
      socket.end()
      request.removeAllListeners('data').once('close', destroySoon).resume()
      setTimeout(() => socket.destroy(), lingerMs).unref()
    }
  })
}
