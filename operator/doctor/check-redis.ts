import type { KeyCacheSetting, RecordedRedis } from '#domain/service-setting/key-cache-setting.ts'
import type { Config } from '#server/configuration/config.ts'
import { redisVariable } from '#server/configuration/redis-settings.ts'
import { nameVariable } from '#server/configuration/start-error.ts'
import type { Redis } from '#server/redis/open-redis.ts'
import { parseInfo, type RedisInfo } from '#server/redis/server-info.policy.ts'
import { type Check, check, Fault } from './check.ts'
import { describeFetchError, isUntrusted } from './describe-fetch-error.ts'

/** What the services that run on the database use. */
export interface ServicesCache {
  keyCache?: KeyCacheSetting | undefined
  redis?: RecordedRedis | undefined
}

export async function checkRedis(config: Config, services: ServicesCache): Promise<Check[]> {
  const { redis: settings } = config
  if (!settings) return [await check('redis', async () => describeWithout(services.keyCache))]
  const warnings: string[] = []
  const log = { info() {}, warn: (_: object, message: string) => void warnings.push(message) }
  let opened: Redis | undefined
  try {
    const server = await check('redis', async () => {
      const { openRedis } = await import('#server/redis/open-redis.ts')
      const redis = await openRedis(settings, log).catch(error => {
        const described = isUntrusted(error) ? new Error(describeFetchError(error)) : error
        return nameVariable(`${redisVariable(settings)}: Redis`)(described)
      })
      opened = redis
      await redis.probe()
      const { assertSameRedis } = await import('#server/redis/redis-id.ts')
      if (services.redis) await assertSameRedis(services.redis, redis, settings)
      const description = `${await describeVersion(redis)} accepts writes`
      return [description, ...warnings].join('; ')
    })
    const redis = opened
    return redis ? [server, await check('redis-memory', () => describeMemory(redis))] : [server]
  } finally {
    opened?.destroy()
  }
}

function describeWithout(keyCache: KeyCacheSetting | undefined): string {
  if (keyCache !== 'redis') return 'not configured: limits and caches are kept in the only API process'
  throw new Fault('the services on this database use Redis: set the same REDIS_URL here')
}

async function describeVersion(redis: Redis): Promise<string> {
  const info = await readInfo(redis, 'server')
  const { valkey_version: valkey, redis_version: version } = info ?? {}
  return valkey ? `Valkey ${valkey}` : version ? `Redis ${version}` : 'Redis'
}

/** Everything in it may be evicted; a server that evicts nothing rejects writes when it is full. */
async function describeMemory(redis: Redis): Promise<string> {
  const info = await readInfo(redis, 'memory')
  if (!info) return 'not checked: the user may not run INFO'
  const { used_memory_human: used, maxmemory, maxmemory_human: max, maxmemory_policy: policy } = info
  if (maxmemory === undefined || policy === undefined) return 'not reported by the server'
  if (maxmemory === '0') return `${used} used, without maxmemory`
  if (policy !== 'noeviction') return `${used} of ${max} used, ${policy}`
  throw new Fault(
    `maxmemory-policy is noeviction: when ${max} are used (now ${used}), every request of the tenant API fails; set volatile-lru`,
  )
}

async function readInfo(redis: Redis, section: string): Promise<RedisInfo | undefined> {
  return await redis.info(section).then(parseInfo, () => undefined)
}
