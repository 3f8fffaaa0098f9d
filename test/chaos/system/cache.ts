import { createRedisServers } from '../../harness/engines/redis-servers.ts'
import { startTestSentinel } from '../../harness/engines/sentinel.ts'
import { isRunning } from '../../harness/processes/process-tree.ts'

export const cacheKinds = ['single', 'sentinel'] as const
export type CacheKind = (typeof cacheKinds)[number]

/** Redis, as the service uses it. */
export type Cache = Awaited<ReturnType<typeof openSingle>>

const program = 'redis-server'

/** Starts one server without files, or a primary with two replicas and a Sentinel. */
export async function openCache(kind: CacheKind): Promise<Cache> {
  return kind === 'single' ? await openSingle() : await openSentinel()
}

async function openSingle() {
  const servers = await createRedisServers(program)
  const server = await servers.start([])
  return {
    /** The port that processes connect to first: that of the server, or of the Sentinel. */
    port: server.port,
    /** The variables that name it, at another port. */
    env: (port: number): Record<string, string> => ({ REDIS_URL: `redis://127.0.0.1:${port}` }),
    /** Kills the server that accepts writes, with its data. */
    crash: () => server.kill(),
    freeze: async () => void server.process.kill('SIGSTOP'),
    /** After a crash or a freeze: resolves when a server accepts writes. */
    async recover() {
      if (isRunning(server.process)) server.process.kill('SIGCONT')
      else await server.restart()
    },
    /** Restores the replicas. */
    async settle() {},
    close: () => servers.close(),
  }
}

async function openSentinel(): Promise<Cache> {
  const cluster = await startTestSentinel(program)
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
      if (isRunning(previous.process)) return void previous.process.kill('SIGCONT')
      // Asks for a promotion too, because a Sentinel on a busy machine gives up on some.
      await cluster.failOver(previous)
      await cluster.untilPromoted(previous)
    },
    async settle() {
      if (!isRunning(previous.process)) await previous.restart()
      await cluster.untilReplicated()
    },
    close: () => cluster.close(),
  }
}
