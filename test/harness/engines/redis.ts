import type { Suite } from 'mocha'
import { describeWith, findProgram, type Requirement } from '../system-program.ts'
import { createRedisServers, type RedisServer } from './redis-servers.ts'

export interface TestRedis {
  url: string
  /** Null where `REDIS_URL` names a server that others use too. */
  server: RedisServer | null
  close(): Promise<void>
}

export const redisServer: Requirement = {
  isMissing: !process.env.REDIS_URL && !findProgram('redis-server'),
  reason: 'no redis-server on the PATH (apt-get install redis-server), no REDIS_URL',
}

/** For tests that stop Redis, so that it has to be theirs alone. */
export const ownRedisServer: Requirement = process.env.REDIS_URL
  ? { isMissing: true, reason: 'REDIS_URL names a Redis that these tests may not stop' }
  : redisServer

/** Why tests that need Redis don't run on this machine; undefined where they do. */
export function redisIsMissing(): string | undefined {
  return redisServer.isMissing ? redisServer.reason : undefined
}

/** Starts a dedicated Redis, empty and without files. Rejects if its process ends before it is ready. */
export async function startTestRedis(): Promise<TestRedis> {
  if (process.env.REDIS_URL) return { url: process.env.REDIS_URL, server: null, close: async () => {} }
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

/** The same for tests that stop Redis. */
export function describeWithOwnRedis(title: string, suite: (this: Suite) => void): void {
  describeWith([ownRedisServer], title, suite)
}
