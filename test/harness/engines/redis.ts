import { execFileSync } from 'node:child_process'
import type { Suite } from 'mocha'
import { pendingTitle } from '../pending.ts'
import { createRedisServers, type RedisServer } from './redis-servers.ts'

export interface TestRedis {
  url: string
  /** Null where `REDIS_URL` names a server that others use too. */
  server: RedisServer | null
  close(): Promise<void>
}

/** Why tests that need Redis don't run on this machine; undefined where they do. */
export function redisIsMissing(): string | undefined {
  if (process.env.REDIS_URL) return undefined
  return isInstalled()
    ? undefined
    : 'no redis-server on the PATH (apt-get install redis-server), no REDIS_URL'
}

let installed: boolean | undefined

function isInstalled(): boolean {
  installed ??= runs('redis-server', '--version')
  return installed
}

function runs(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
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
  describeUnless(redisIsMissing(), title, suite)
}

/** The same for tests that stop Redis, so that it has to be theirs alone. */
export function describeWithOwnRedis(title: string, suite: (this: Suite) => void): void {
  const shared = process.env.REDIS_URL && 'REDIS_URL names a Redis that these tests may not stop'
  describeUnless(shared || redisIsMissing(), title, suite)
}

/** The servers that the service supports, as their programs are called. */
export const redisPrograms = ['redis-server', 'valkey-server']

/** A suite for each server that the service supports, with the name of its program; pending where that is missing. */
export function describeForEachServer(title: string, suite: (this: Suite, program: string) => void): void {
  for (const program of redisPrograms) {
    const reason = runs(program, '--version') ? undefined : `no ${program} on the PATH`
    describeUnless(reason, `${title}, on ${program}`, function () {
      suite.call(this, program)
    })
  }
}

function describeUnless(reason: string | undefined, title: string, suite: (this: Suite) => void): void {
  if (reason) describe.skip(pendingTitle(title, reason), suite)
  else describe(title, suite)
}
