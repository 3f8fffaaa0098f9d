import type { ChildProcess } from 'node:child_process'
import { createRedisServers, type RedisServer } from '../../harness/redis-servers.ts'
import { startTestSentinel, type TestSentinel } from '../../harness/sentinel.ts'
import { killOnExit } from './process-tree.ts'

export const cacheKinds = ['single', 'sentinel'] as const
export type CacheKind = (typeof cacheKinds)[number]

/** Redis, as the service uses it. */
export interface Cache {
  /** The port that processes connect to first: that of the server, or of the Sentinel. */
  port: number
  /** The variables that name it, at another port. */
  env(port: number): Record<string, string>
  /** Kills the server that accepts writes, with its data. */
  crash(): Promise<void>
  freeze(): Promise<void>
  /** After a crash or a freeze: resolves when a server accepts writes. */
  recover(): Promise<void>
  /** Restores the replicas. */
  settle(): Promise<void>
  close(): Promise<void>
}

const program = 'redis-server'

/** Starts one server without files, or a primary with two replicas and a Sentinel. */
export async function openCache(kind: CacheKind): Promise<Cache> {
  return kind === 'single' ? await openSingle() : await openSentinel()
}

async function openSingle(): Promise<Cache> {
  const servers = await createRedisServers(program)
  const server = await servers.start([])
  killOnExit(server.process)
  return {
    port: server.port,
    env: port => ({ REDIS_URL: `redis://127.0.0.1:${port}` }),
    crash: () => server.kill(),
    freeze: async () => void server.process.kill('SIGSTOP'),
    async recover() {
      if (isRunning(server.process)) server.process.kill('SIGCONT')
      else await restart(server)
    },
    settle: async () => undefined,
    close: () => servers.close(),
  }
}

async function openSentinel(): Promise<Cache> {
  const cluster = await startTestSentinel(program)
  for (const { process } of [cluster.sentinel, ...cluster.nodes]) killOnExit(process)
  await cluster.untilReplicated()
  let previous = await cluster.primary()
  return {
    port: cluster.sentinel.port,
    env: port => ({ ...cluster.env, REDIS_SENTINELS: `127.0.0.1:${port}` }),
    async crash() {
      previous = await cluster.primary()
      await previous.kill()
    },
    async freeze() {
      previous = await cluster.primary()
      previous.process.kill('SIGSTOP')
    },
    async recover() {
      // One that was frozen briefly stays the primary; otherwise the Sentinel makes it a replica.
      if (isRunning(previous.process)) previous.process.kill('SIGCONT')
      else await promote(cluster, previous)
    },
    async settle() {
      if (!isRunning(previous.process)) await restart(previous)
      await cluster.untilReplicated()
    },
    close: () => cluster.close(),
  }
}

/** Asks for a promotion too, because a Sentinel on a busy machine gives up on some. */
async function promote(cluster: TestSentinel, previous: RedisServer): Promise<void> {
  await cluster.failOver(previous)
  await cluster.untilPromoted(previous)
}

async function restart(server: RedisServer): Promise<void> {
  await server.restart()
  killOnExit(server.process)
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}
