import { isTraced, traced } from '#domain/tracing.ts'
import type { RedisCommands } from './redis-connection.ts'

/** The commands as operations of a trace, where anything is traced. */
export function traceCommands(commands: RedisCommands): RedisCommands {
  if (!isTraced()) return commands
  const run = <Reply>(name: string, command: () => Promise<Reply>) => traced({ kind: 'redis', name }, command)
  return {
    admit: given => run('admit', () => commands.admit(given)),
    leaseEntry: (...given) => run('lease_entry', () => commands.leaseEntry(...given)),
    storeEntry: (...given) => run('store_entry', () => commands.storeEntry(...given)),
    hit: (...given) => run('hit', () => commands.hit(...given)),
    get: key => run('get', () => commands.get(key)),
    set: (...given) => run('set', () => commands.set(...given)),
    del: key => run('del', () => commands.del(key)),
  }
}
