import { type CommandParser, defineScript } from 'redis'

/** `#!lua` has Redis reject a script, before it runs, where it may not write: on a replica, or without enough replicas. */
export const scripts = {
  /** Counts in a window, which Redis deletes after `ttlMs`. */
  hit: defineScript({
    SCRIPT: `#!lua
      local count = redis.call('INCR', KEYS[1])
      if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
      return count`,
    NUMBER_OF_KEYS: 1,
    IS_READ_ONLY: false,
    parseCommand(parser: CommandParser, window: string, ttlMs: number) {
      parser.pushKey(window)
      parser.push(String(ttlMs))
    },
    transformReply: (reply: unknown) => Number(reply),
  }),
}
