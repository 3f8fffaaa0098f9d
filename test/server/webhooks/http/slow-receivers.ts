import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'

/** Writes the start, then a chunk every 20 ms until the connection is closed. */
export function drip(socket: TLSSocket, start: string, chunk: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(chunk), 20)
  socket.once('close', () => clearInterval(timer))
}

/** A port whose backlog is full: connections are neither accepted nor rejected. */
export async function startFullReceiver(): Promise<{ port: number; close(): Promise<void> }> {
  const child = fork(new URL('full-receiver.ts', import.meta.url))
  const [port] = (await once(child, 'message')) as [number]
  child.kill('SIGSTOP')
  const sockets: Socket[] = []
  for (let isOpen = true; isOpen; ) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    isOpen = await Promise.race([once(socket, 'connect').then(() => true), wait(100, false)])
  }
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy()
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
