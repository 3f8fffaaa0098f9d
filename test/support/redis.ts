import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Suite } from 'mocha'
import { createClient } from 'redis'
import { freePort } from '#server/http/listen.ts'

export interface TestRedis {
  url: string
  /** The server's process; null where REDIS_URL names one that is not ours to stop. */
  process: ChildProcess | null
  close(): Promise<void>
}

/** Why tests that need Redis are pending here; undefined where it can be had. */
export function redisIsMissing(): string | undefined {
  if (process.env.REDIS_URL) return undefined
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'needs redis-server on the PATH (apt-get install redis-server) or REDIS_URL'
  }
}

/** Starts a Redis of the caller's own, empty and without files. */
export async function startTestRedis(): Promise<TestRedis> {
  if (process.env.REDIS_URL) return { url: process.env.REDIS_URL, process: null, close: async () => {} }
  const port = await freePort('127.0.0.1')
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  )
  const url = `redis://127.0.0.1:${port}`
  await answers(url)
  return {
    url,
    process: server,
    async close() {
      if (server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    },
  }
}

async function answers(url: string): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: () => 20 } })
  client.on('error', () => undefined)
  await client.connect()
  await client.close()
}

/** Declares tests that are pending, and say why, where there is no Redis. */
export function describeWithRedis(title: string, suite: (this: Suite) => void): void {
  const missing = redisIsMissing()
  if (missing) describe.skip(`${title} (${missing})`, suite)
  else describe(title, suite)
}
