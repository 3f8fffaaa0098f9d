import type { Config } from '#server/configuration/config.ts'
import { nameVariable } from '#server/configuration/start-error.ts'
import type { Redis } from '#server/redis/open-redis.ts'
import { type Check, check, Fault } from './check.ts'
import { describeFetchError, isUntrusted } from './describe-fetch-error.ts'

export async function checkRedis({ redisUrl }: Config): Promise<Check[]> {
  if (!redisUrl)
    return [await check('redis', async () => 'not configured: limits are kept in the only API process')]
  let opened: Redis | undefined
  try {
    const server = await check('redis', async () => {
      const { openRedis } = await import('#server/redis/open-redis.ts')
      opened = await openRedis(redisUrl, { info() {}, warn() {} }).catch(error => {
        return nameVariable('REDIS_URL: Redis')(
          isUntrusted(error) ? new Error(describeFetchError(error)) : error,
        )
      })
      return 'accepts writes'
    })
    const redis = opened
    return redis ? [server, await check('redis-memory', () => describeMemory(redis))] : [server]
  } finally {
    opened?.destroy()
  }
}

/** Everything in it may be evicted; a server that evicts nothing rejects writes when it is full. */
async function describeMemory(redis: Redis): Promise<string> {
  const info = await redis.info('memory').catch(() => '')
  const [maxmemory, policy] = [read(info, 'maxmemory'), read(info, 'maxmemory_policy')]
  if (maxmemory === undefined || policy === undefined) return 'not reported by the server'
  if (maxmemory === '0' || policy !== 'noeviction') return policy
  throw new Fault(
    'maxmemory-policy is noeviction: when the memory is used, every request of the tenant API fails; set volatile-lru',
  )
}

function read(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim()
}
