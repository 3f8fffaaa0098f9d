import { z } from 'zod'
import { address } from './config-values.ts'
import { isLoopbackHost } from './loopback.policy.ts'

/** One address: what fails over stands in front. */
export const redisUrl = z
  .string()
  .refine(hasOneHost, {
    message: 'has several addresses: name one, such as that of HAProxy in front of Sentinels (docs/redis.md)',
    abort: true,
  })
  .pipe(address('redis:', 'rediss:'))

function hasOneHost(text: string): boolean {
  const [, authority = ''] = /^\w+:\/\/([^/]*)/.exec(text) ?? []
  return !authority.slice(authority.lastIndexOf('@') + 1).includes(',')
}

interface RedisVariables {
  redisUrl: string | undefined
  redisAllowPlaintext: boolean
}

/** Why the URL can't be used, if it can't. */
export function redisViolation({ redisUrl, redisAllowPlaintext }: RedisVariables): string[] {
  if (!redisUrl || redisAllowPlaintext) return []
  const { protocol, hostname } = new URL(redisUrl)
  if (protocol === 'rediss:' || hostname === '' || isLoopbackHost(hostname)) return []
  return [
    'REDIS_URL leads to another machine without TLS: use rediss://, or set REDIS_ALLOW_PLAINTEXT=true if the network is trusted',
  ]
}
