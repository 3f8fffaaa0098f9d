import type { Registry } from 'prom-client'
import { DurationHistogram, type Durations } from '../../telemetry/metrics/duration-histogram.ts'
import type { OpenedRedis } from './open-redis.ts'
import type { RedisCommands } from './redis-connection.ts'

/** Redis, with the duration and the result of each command counted. */
export function measureRedis(redis: OpenedRedis, registry: Registry): OpenedRedis {
  const histogram = new DurationHistogram({
    name: 'age_verification_redis_command_duration_seconds',
    help: 'Seconds that commands took in Redis, by command and result',
    labelNames: ['command', 'result'],
    buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2.5],
    registry,
  })
  function durationsOf(command: string): CommandDurations {
    return {
      success: histogram.series({ command, result: 'success' }),
      error: histogram.series({ command, result: 'error' }),
    }
  }
  const admit = durationsOf('admit')
  const leaseEntry = durationsOf('lease_entry')
  const storeEntry = durationsOf('store_entry')
  const hit = durationsOf('hit')
  const get = durationsOf('get')
  const set = durationsOf('set')
  const del = durationsOf('del')
  const commands: RedisCommands = {
    admit: given => measure(admit, () => redis.commands.admit(given)),
    leaseEntry: (entry, lease, ttlMs) =>
      measure(leaseEntry, () => redis.commands.leaseEntry(entry, lease, ttlMs)),
    storeEntry: (entry, lease, fields) =>
      measure(storeEntry, () => redis.commands.storeEntry(entry, lease, fields)),
    hit: (window, ttlMs) => measure(hit, () => redis.commands.hit(window, ttlMs)),
    get: key => measure(get, () => redis.commands.get(key)),
    set: (...given) => measure(set, () => redis.commands.set(...given)),
    del: key => measure(del, () => redis.commands.del(key)),
  }
  return { ...redis, commands }
}

interface CommandDurations {
  success: Durations
  error: Durations
}

/** Commands fail immediately while the connection is lost; also those are counted. */
async function measure<Reply>(durations: CommandDurations, send: () => Promise<Reply>): Promise<Reply> {
  const startedAt = performance.now()
  try {
    const reply = await send()
    durations.success.observe((performance.now() - startedAt) / 1_000)
    return reply
  } catch (error) {
    durations.error.observe((performance.now() - startedAt) / 1_000)
    throw error
  }
}
