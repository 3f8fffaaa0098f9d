import { type CommandParser, defineScript } from 'redis'

export interface AdmitArguments {
  keyEntry: string
  globalGeneration: string
  tenantGenerationPrefix: string
  windowPrefix: string
  scope: string
  /** Class and number of the window. */
  window: string
  nowMs: number
  windowTtlMs: number
}

/** `count` is -1 where the request was not admitted. */
export interface AdmitReply {
  access: string
  count: number
}

export const scripts = {
  /**
   * Reads a key's entry and counts the request if it is admitted. Null where there is no entry, or a change was
   * announced since it was made.
   */
  admit: defineScript({
    SCRIPT: `
      local entry = redis.call('HMGET', KEYS[1], 'stamp', 'tenant', 'access', 'admits', 'expiresAtMs', 'id')
      if not entry[1] then return false end
      local all = redis.call('GET', KEYS[2])
      local tenant = redis.call('GET', ARGV[1] .. entry[2])
      if not all or not tenant or entry[1] ~= all .. '.' .. tenant then return false end
      local expires = tonumber(entry[5])
      if (expires and expires <= tonumber(ARGV[4])) or not string.find(entry[4], ARGV[3], 1, true) then
        return { entry[3], -1 }
      end
      local window = ARGV[2] .. entry[6] .. ':' .. ARGV[5]
      local count = redis.call('INCR', window)
      if count == 1 then redis.call('PEXPIRE', window, ARGV[6]) end
      return { entry[3], count }`,
    NUMBER_OF_KEYS: 2,
    IS_READ_ONLY: false,
    parseCommand(parser: CommandParser, given: AdmitArguments) {
      parser.pushKey(given.keyEntry)
      parser.pushKey(given.globalGeneration)
      parser.push(given.tenantGenerationPrefix, given.windowPrefix, `|${given.scope}|`)
      parser.push(String(given.nowMs), given.window, String(given.windowTtlMs))
    },
    transformReply: (reply: unknown): AdmitReply | null => {
      if (!Array.isArray(reply)) return null
      return { access: String(reply[0]), count: Number(reply[1]) }
    },
  }),
  /** Counts in a window that ends by itself. */
  hit: defineScript({
    SCRIPT: `
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
