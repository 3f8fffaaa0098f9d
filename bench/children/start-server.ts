import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { freePort } from '#server/http/free-port.ts'
import { type Child, type ChildOptions, startChild } from './start-child.ts'

export interface ServerChild extends Child {
  origin: string
}

export interface ServerOptions extends ChildOptions {
  /** The environment variable with its port; PORT by default. */
  portVariable?: string
  /** Whether it speaks TLS. */
  isTls?: boolean
}

const pollMs = 10
const host = '127.0.0.1'

/** Starts a child that serves HTTP on a free loopback port; resolves when it responds. */
export async function startServer(options: ServerOptions): Promise<ServerChild> {
  const { portVariable = 'PORT', isTls = false, env, ...others } = options
  const port = await freePort(host)
  const child = startChild({ ...others, env: { ...env, HOST: host, [portVariable]: String(port) } })
  const origin = `${isTls ? 'https' : 'http'}://${host}:${port}`
  await Promise.race([responding(isTls ? handshake : firstByte, port), child.exited])
  return { ...child, origin }
}

/** A connection alone doesn't prove that it listens: the service first tries whether its port is free. */
async function responding(attempt: (port: number) => Promise<unknown>, port: number): Promise<void> {
  for (;;) {
    try {
      await attempt(port)
      return
    } catch {
      await sleep(pollMs)
    }
  }
}

async function firstByte(port: number): Promise<void> {
  const socket = connect(port, host)
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  for await (const _chunk of socket) return
  throw new Error('The connection was closed')
}

async function handshake(port: number): Promise<void> {
  const socket = connectTls({ port, host, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
  } finally {
    socket.destroy()
  }
}
