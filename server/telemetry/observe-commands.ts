import type { Registry } from 'prom-client'
import type { RedisCommands } from '../redis/connect.ts'
import type { Redis } from '../redis/open-redis.ts'
import { observeCalls } from './observe-calls.ts'

const names = ['admit', 'lease_entry', 'store_entry', 'hit', 'get', 'set', 'del'] as const

/**
 * Redis, with each command as an operation of its trace, and with its duration and result counted. Commands fail
 * immediately while the connection is lost; also those are counted.
 */
export function observeCommands(redis: Redis, registry: Registry): Redis {
  const observe = observeCalls({
    registry,
    name: 'age_verification_redis_command_duration_seconds',
    help: 'Seconds that commands took in Redis, by command and result',
    label: 'command',
    calls: names,
    buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2.5],
    failures: ['error'],
    classify: () => 'error',
  })
  const run = <Reply>(name: (typeof names)[number], command: (commands: RedisCommands) => Promise<Reply>) =>
    observe(name, { kind: 'redis', name }, () => command(redis.commands))
  const commands: RedisCommands = {
    admit: given => run('admit', commands => commands.admit(given)),
    leaseEntry: (...given) => run('lease_entry', commands => commands.leaseEntry(...given)),
    storeEntry: (...given) => run('store_entry', commands => commands.storeEntry(...given)),
    hit: (...given) => run('hit', commands => commands.hit(...given)),
    get: key => run('get', commands => commands.get(key)),
    set: (...given) => run('set', commands => commands.set(...given)),
    del: key => run('del', commands => commands.del(key)),
  }
  return { ...redis, commands }
}
