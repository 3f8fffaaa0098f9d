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
  /** What it responds to with 200 once it serves: the service accepts connections before that. */
  healthPath?: string
}

const pollMs = 10
const host = '127.0.0.1'

/** Starts a child that serves on a free loopback port; resolves when it accepts connections, or responds. */
export async function startServer(options: ServerOptions): Promise<ServerChild> {
  const { portVariable = 'PORT', healthPath, env, ...others } = options
  const port = await freePort(host)
  const child = startChild({ ...others, env: { ...env, HOST: host, [portVariable]: String(port) } })
  await Promise.race([serving(port, healthPath), child.exited])
  return { ...child, origin: `http://${host}:${port}` }
}

async function serving(port: number, healthPath: string | undefined): Promise<void> {
  for (;;) {
    try {
      if (healthPath === undefined) await accepting(port)
      else await healthy(`http://${host}:${port}${healthPath}`)
      return
    } catch {
      await sleep(pollMs)
    }
  }
}

async function accepting(port: number): Promise<void> {
  const socket = connect(port, host)
  await once(socket, 'connect').finally(() => socket.destroy())
}

async function healthy(url: string): Promise<void> {
  const response = await fetch(url)
  await response.text()
  if (!response.ok) throw new Error(`${url} responded ${response.status}`)
}
