import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { config } from './config.ts'

export const redis = new Redis(config.redisUrl, { enableOfflineQueue: false, lazyConnect: true })

export const rateLimiter = new RateLimiterRedis({
  storeClient: redis,
  keyPrefix: 'rate_limit',
  points: config.requestsPerMinute,
  duration: 60,
})
