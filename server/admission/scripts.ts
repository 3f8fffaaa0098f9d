import { type CommandParser, defineScript } from 'redis'
import type { AdmissionError } from '#domain/api-key/admission.policy.ts'

export interface AdmitArguments {
  entry: string
  globalGeneration: string
  tenantGenerationPrefix: string
  /** The entry's field with the scope's `AdmissionError`; the field is empty when the scope is admitted. */
  errorField: string
  /** The entry's field with the rate class's requests per minute. */
  limitField: string
  nowMs: number
  /** The API key's id stands between prefix and suffix in the name of the window. */
  windowPrefix: string
  windowSuffix: string
  windowTtlMs: number
}

export type AdmitReply =
  | { admitted: true; tenantId: string; apiKeyId: string; limit: number; count: number }
  | { admitted: false; tenantId: string; error: AdmissionError }

export const scripts = {
  /**
   * Reads the decision from a key's entry, and counts the request when it's admitted. Null on a cache miss: no
   * entry, one that was invalidated, or one that is no longer valid at `nowMs`. The decision itself was made when
   * the entry was stored (`redis-key-cache.ts`).
   */
  admit: defineScript({
    SCRIPT: `
      local entry = redis.call('HMGET', KEYS[1], 'stamp', 'tenantId', 'apiKeyId', 'validUntilMs', ARGV[2], ARGV[3])
      local stamp, tenantId, apiKeyId, validUntilMs, error, limit = unpack(entry)
      if not stamp or not error or not limit then return false end
      local global = redis.call('GET', KEYS[2])
      local tenant = redis.call('GET', ARGV[1] .. tenantId)
      if not global or not tenant or stamp ~= global .. '.' .. tenant then return false end
      if validUntilMs and tonumber(validUntilMs) <= tonumber(ARGV[4]) then return false end
      if error ~= '' then return { tenantId, error } end
      local window = ARGV[5] .. apiKeyId .. ARGV[6]
      local count = redis.call('INCR', window)
      if count == 1 then redis.call('PEXPIRE', window, ARGV[7]) end
      return { tenantId, error, apiKeyId, limit, count }`,
    NUMBER_OF_KEYS: 2,
    IS_READ_ONLY: false,
    parseCommand(parser: CommandParser, given: AdmitArguments) {
      parser.pushKey(given.entry)
      parser.pushKey(given.globalGeneration)
      parser.push(given.tenantGenerationPrefix, given.errorField, given.limitField, String(given.nowMs))
      parser.push(given.windowPrefix, given.windowSuffix, String(given.windowTtlMs))
    },
    transformReply: (reply: unknown): AdmitReply | null => {
      if (!Array.isArray(reply)) return null
      const [tenantId, error, apiKeyId, limit, count] = reply.map(String) as [string, string, ...string[]]
      if (error !== '') return { admitted: false, tenantId, error: error as AdmissionError }
      return { admitted: true, tenantId, apiKeyId: apiKeyId!, limit: Number(limit), count: Number(count) }
    },
  }),
  /** Counts in a window, which Redis deletes after `ttlMs`. */
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
