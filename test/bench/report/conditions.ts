import { availableParallelism } from 'node:os'
import { sendToRedis } from '../../harness/engines/redis-servers.ts'
import { stored } from '../../harness/stored.ts'
import type { Fixture } from '../fixture/fixture.ts'
import type { BenchOptions } from '../options.ts'

/** Describes the day, the machine and the options of a measurement, without a host name or path. */
export async function describeConditions(fixture: Fixture, options: BenchOptions): Promise<string> {
  const { redisUrl } = fixture.services.config
  const [row] = await stored(fixture, 'show server_version')
  const info = redisUrl ? String(await sendToRedis(redisUrl, ['INFO', 'server'])) : ''
  const redisVersion = /redis_version:(\S+)/.exec(info)?.[1]
  const { rounds, seconds, connections, tenants, env } = options
  return [
    new Date().toISOString().slice(0, 10),
    `${availableParallelism()} cores`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${row!.server_version} (fsync on)`,
    redisVersion ? `Redis ${redisVersion}` : 'no Redis: limits in memory',
    `${rounds} rounds of ${seconds} s`,
    `${connections} connections`,
    `${tenants} tenants`,
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ].join(', ')
}
