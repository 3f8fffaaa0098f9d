import type { Config } from '#server/configuration/config.ts'
import { nameVariable } from '#server/configuration/start-error.ts'
import { type Check, check } from './check.ts'
import { describeFetchError, isUntrusted } from './describe-fetch-error.ts'

export async function checkRedis({ redisUrl }: Config): Promise<Check> {
  return await check('redis', async () => {
    if (!redisUrl) return 'not configured: limits are kept in the only API process'
    const { openRedis } = await import('#server/redis/open-redis.ts')
    const redis = await openRedis(redisUrl, { info() {}, warn() {} }).catch(error => {
      return nameVariable('REDIS_URL: Redis')(
        isUntrusted(error) ? new Error(describeFetchError(error)) : error,
      )
    })
    redis.destroy()
    return 'accepts writes'
  })
}
