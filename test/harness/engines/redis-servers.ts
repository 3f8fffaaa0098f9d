import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../eventually.ts'
import { endProcess, isRunning, killOnExit } from '../processes/process-tree.ts'

/** A process of Redis or Valkey that a test may stop, kill and start again. */
export interface RedisServer {
  port: number
  url: string
  process: ChildProcess
  /** Sends one command on a connection of its own. */
  send<Reply = string>(...command: string[]): Promise<Reply>
  kill(): Promise<void>
  /** Starts it again at its port, empty. */
  restart(): Promise<void>
}

export interface RedisServers {
  /** `options` are those of the command line, `user` is that of the URL where the server requires one. */
  start(options: string[], user?: { name: string; password: string }): Promise<RedisServer>
  startSentinel(configuration: (port: number) => string): Promise<RedisServer>
  close(): Promise<void>
}

/** Servers of one test, in a folder of their own. `program` is redis-server or valkey-server. */
export async function createRedisServers(program: string): Promise<RedisServers> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-servers-'))
  const all: RedisServer[] = []
  async function launch(port: number, args: string[], credentials = ''): Promise<RedisServer> {
    const run = () => killOnExit(spawn(program, args, { stdio: 'ignore', cwd: folder }))
    const url = `redis://${credentials}127.0.0.1:${port}`
    const server: RedisServer = {
      port,
      url,
      process: run(),
      send: async <Reply>(...command: string[]) => (await sendToRedis(url, command)) as Reply,
      kill: () => endProcess(server.process),
      async restart() {
        await server.kill()
        server.process = run()
        await untilReady(server)
      },
    }
    all.push(server)
    await untilReady(server)
    return server
  }
  return {
    async start(options, user) {
      const port = await freePort()
      const common = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
      return await launch(port, [...common, ...options], user && `${user.name}:${user.password}@`)
    },
    async startSentinel(configuration) {
      const port = await freePort()
      const file = join(folder, `sentinel-${port}.conf`)
      await writeFile(file, `port ${port}\nbind 127.0.0.1\n${configuration(port)}`)
      return await launch(port, [file, '--sentinel'])
    },
    async close() {
      await Promise.all(all.map(server => server.kill()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Sends one command on a connection of its own. */
export async function sendToRedis(url: string, command: readonly string[]): Promise<unknown> {
  const client = createClient({ url, RESP: 2, socket: { reconnectStrategy: false, socketTimeout: 5_000 } })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await client.sendCommand([...command])
  } finally {
    client.destroy()
  }
}

/** A server that another process started may have taken the port: then this one exits. */
async function untilReady({ url, process, send }: RedisServer): Promise<void> {
  const processId = async () => Number(/^process_id:(\d+)/m.exec(await send('INFO', 'server'))?.[1])
  await eventually(async () => !isRunning(process) || (await processId()) === process.pid)
  if (!isRunning(process)) throw new Error(`Redis ended before it was ready at ${url}`)
}
