import type { Suite } from 'mocha'
import { describeWith, findProgram, type Requirement } from '../system-program.ts'
import { createRedisServers, type RedisServer } from './redis-servers.ts'

export interface TestRedis {
  url: string
  server: RedisServer
  close(): Promise<void>
}

export const redisServer: Requirement = {
  isMissing: !findProgram('redis-server'),
  reason: 'no redis-server on the PATH (apt-get install redis-server)',
}

/** Starts a dedicated Redis, empty and without files. Rejects if its process ends before it is ready. */
export async function startTestRedis(): Promise<TestRedis> {
  const servers = await createRedisServers('redis-server')
  try {
    const server = await servers.start([])
    return { url: server.url, server, close: servers.close }
  } catch (error) {
    await servers.close()
    throw error
  }
}

/** A suite that is pending, with the reason in its title, where there is no Redis. */
export function describeWithRedis(title: string, suite: (this: Suite) => void): void {
  describeWith([redisServer], title, suite)
}
