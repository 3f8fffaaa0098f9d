import type { RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { stopParsing } from './stop-parsing.ts'

/** How many requests can wait on a connection. A chunk of 64 KiB, which is read at once, has thousands of small ones. */
const waitingMax = 16

/** The response to each connection's latest request, which may still wait for those before it. */
export type LatestResponses = WeakMap<Duplex, ServerResponse>

/**
 * Passes on the requests of a connection one at a time: each when the response to the one before it was sent. What a
 * client pipelines stays in the socket meanwhile, except for the chunk that was read already. A connection on which too many
 * requests wait is closed.
 */
export function oneAtATime(handle: RequestListener, latest: LatestResponses): RequestListener {
  const waitingOn = new WeakMap<Duplex, { count: number }>()
  return (request, response) => {
    const { socket } = request
    const before = latest.get(socket)
    latest.set(socket, response)
    if (!before || before.closed) {
      handle(request, response)
      return
    }
    const waiting = waitingOn.get(socket) ?? keepPaused(socket)
    waitingOn.set(socket, waiting)
    if (waiting.count === waitingMax) {
      stopParsing(socket)
      socket.destroy()
      return
    }
    waiting.count += 1
    socket.pause()
    before.setMaxListeners(before.getMaxListeners() + 1)
    before.once('close', () => {
      waiting.count -= 1
      if (!socket.writable) return
      if (waiting.count === 0) socket.resume()
      handle(request, response)
    })
  }
}

/** Node resumes a socket for the body of each request. It is paused again while further requests wait. */
function keepPaused(socket: Duplex): { count: number } {
  const waiting = { count: 0 }
  socket.on('resume', () => {
    if (waiting.count > 0) socket.pause()
  })
  return waiting
}
