import { isLoopbackHost } from './loopback.policy.ts'

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
