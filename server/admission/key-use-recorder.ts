import { LRUCache } from 'lru-cache'
import { type KeyUse, recordKeyUse } from '#domain/api-key/record-key-use.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import type { DomainLog } from '#domain/scope.ts'

const writeEveryMs = 1_000
const minuteMs = 60_000
/** How many keys have their last recorded minute cached, so that a busy key is written once a minute. */
const cachedKeysMax = 50_000

/** Records when keys were last used, in batches, so that no request waits for it. A failed write is only logged. */
export function createKeyUseRecorder(pool: StatementPool, log: DomainLog) {
  let queued = new Map<string, KeyUse>()
  let latestWrite = Promise.resolve()
  const lastMinutes = new LRUCache<string, number>({ max: cachedKeysMax })
  async function writeQueued(): Promise<void> {
    const uses = queued
    queued = new Map()
    try {
      await recordKeyUse(pool, [...uses.values()])
    } catch (error) {
      for (const apiKeyId of uses.keys()) lastMinutes.delete(apiKeyId)
      log.warn({ err: error, keys: uses.size }, 'The last use of API keys could not be recorded')
    }
  }
  /** One write begins when the one before has ended. */
  function write(): Promise<void> {
    latestWrite = latestWrite.then(writeQueued)
    return latestWrite
  }
  const timer = setInterval(write, writeEveryMs).unref()
  return {
    /** Queues the use, which is written about a second later. */
    record({ tenantId, apiKeyId }: Omit<KeyUse, 'at'>, now: Date): void {
      const minute = Math.floor(now.getTime() / minuteMs)
      if (lastMinutes.get(apiKeyId) === minute) return
      lastMinutes.set(apiKeyId, minute)
      queued.set(apiKeyId, { tenantId, apiKeyId, at: now })
    },
    /** Writes what is queued. */
    async close(): Promise<void> {
      clearInterval(timer)
      await write()
    },
  }
}
