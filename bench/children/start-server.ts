import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#server/http/free-port.ts'
import { type Child, type ChildOptions, startChild } from './start-child.ts'

export interface ServerChild extends Child {
  origin: string
}

export interface ServerOptions extends ChildOptions {
  /** The environment variable with its port; PORT by default. */
  portVariable?: string
}

const pollMs = 10
const host = '127.0.0.1'

/** Starts a child that serves HTTP on a free loopback port; resolves when it accepts connections. */
export async function startServer(options: ServerOptions): Promise<ServerChild> {
  const { portVariable = 'PORT', env, ...others } = options
  const port = await freePort(host)
  const child = startChild({ ...others, env: { ...env, HOST: host, [portVariable]: String(port) } })
  await Promise.race([listening(port), child.exited])
  return { ...child, origin: `http://${host}:${port}` }
}

async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, host)
    try {
      await once(socket, 'connect')
      return
    } catch {
      await sleep(pollMs)
    } finally {
      socket.destroy()
    }
  }
}
