import { ErrorReply } from 'redis'
import type { DomainLog } from '#domain/scope.ts'
import { StartError } from '../start-error.ts'
import { redisServerViolation } from './redis-server.policy.ts'

/** The commands of a Redis client that the check uses. */
export interface CheckedRedis {
  info(section: string): Promise<string>
  set(key: string, value: string, options: { PX: number }): Promise<unknown>
}

const probeKey = 'start-check'
const probeMs = 1_000

/**
 * Checks the server once, after connecting. Throws a `StartError` if it is too old, in a mode that is not supported,
 * or rejects writes: a read-only replica, or a server without memory left. If the user's ACL lacks INFO, the version
 * is not checked.
 */
export async function checkRedis(client: CheckedRedis, log: DomainLog): Promise<void> {
  const violation = redisServerViolation(await serverInfo(client, log))
  if (violation) throw new StartError(`REDIS_URL: ${violation}`)
  try {
    await client.set(probeKey, '1', { PX: probeMs })
  } catch (error) {
    if (!(error instanceof ErrorReply) || isForbidden(error)) throw error
    throw new StartError(`REDIS_URL: Redis rejects writes: ${error.message}`, { cause: error })
  }
}

async function serverInfo(client: CheckedRedis, log: DomainLog): Promise<string> {
  try {
    return await client.info('server')
  } catch (error) {
    if (!isForbidden(error)) throw error
    log.warn({}, 'The user of REDIS_URL may not run INFO: the version of Redis is not checked')
    return ''
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof ErrorReply && error.message.startsWith('NOPERM')
}
