import type { Config } from '#server/configuration/config.ts'
// Loaded before the clock of its check starts.
import { openRedis } from '#server/redis/open-redis.ts'
import { check, type Examined, Fault } from './check.ts'
import { describeFetchError } from './describe-fetch-error.ts'

export async function checkRedis({ redisUrl }: Config): Promise<Examined> {
  return await check('redis', async () => {
    if (!redisUrl) return 'not configured: limits are kept in the only API process'
    const redis = await openRedis(redisUrl, { info() {}, warn() {} }).catch(cause => {
      const reason = describeFetchError(cause)
      throw new Fault(`REDIS_URL: Redis cannot be used: ${reason}: ${advise(reason)}`, { cause })
    })
    redis.destroy()
    return 'accepts writes'
  })
}

/** By the code of the system, or the first word of Redis's reply. */
const advices: [RegExp, string][] = [
  [/^(WRONGPASS|NOAUTH)/, 'compare the user and password with users.acl, which each node must have'],
  [/^NOPERM/, 'give the user the rights that users.acl has'],
  [
    /^(READONLY|NOREPLICAS|MASTERDOWN)/,
    'it must lead to the primary, with its replicas; wait for the end of a failover',
  ],
  [/^OOM/, 'raise maxmemory, and set maxmemory-policy to volatile-lru'],
  [/^MISCONF/, 'it cannot save to its disk: see its log, or turn saving off, which is not needed'],
  [/^(LOADING|BUSY)/, 'wait until it has started, or its script has ended'],
  [/^WRONGTYPE/, 'another program has keys that begin with age-verification: give it another database'],
  [/max number of clients/, 'raise maxclients, or end what is not ours'],
  [/ECONNREFUSED/, 'check that it runs and listens there, and the port'],
]

function advise(reason: string): string {
  const [, advice] = advices.find(([pattern]) => pattern.test(reason)) ?? []
  return advice ?? 'check that it runs, its host and port, DNS, TLS (rediss:) and firewalls'
}
