import { LRUCache } from 'lru-cache'
import { type KeyUse, recordKeyUse } from '#domain/api-key/record-key-use.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import type { DomainLog } from '#domain/scope.ts'

const flushEveryMs = 1_000
const minuteMs = 60_000
/** How many keys have their last recorded minute cached, so that a busy key is written once a minute. */
const cachedKeysMax = 50_000

export interface KeyUsageRecorder {
  /** Queues the use; it's written about a second later. */
  record(key: { tenantId: string; apiKeyId: string }, now: Date): void
  /** Writes what is queued. */
  close(): Promise<void>
}

/** Records when keys were last used, in batches, so that no request waits for it. A failed write is only logged. */
export function createKeyUsageRecorder(pool: StatementPool, log: DomainLog): KeyUsageRecorder {
  let queued = new Map<string, KeyUse>()
  const lastMinutes = new LRUCache<string, number>({ max: cachedKeysMax })
  async function flush(): Promise<void> {
    if (queued.size === 0) return
    const uses = queued
    queued = new Map()
    try {
      await recordKeyUse(pool, [...uses.values()])
    } catch (error) {
      for (const apiKeyId of uses.keys()) lastMinutes.delete(apiKeyId)
      log.warn({ err: error, keys: uses.size }, 'The last use of API keys could not be recorded')
    }
  }
  let flushing = Promise.resolve()
  function flushNext(): Promise<void> {
    flushing = flushing.then(flush)
    return flushing
  }
  const timer = setInterval(flushNext, flushEveryMs).unref()
  return {
    record({ tenantId, apiKeyId }, now) {
      const minute = Math.floor(now.getTime() / minuteMs)
      if (lastMinutes.get(apiKeyId) === minute) return
      lastMinutes.set(apiKeyId, minute)
      queued.set(apiKeyId, { tenantId, apiKeyId, at: now })
    },
    async close() {
      clearInterval(timer)
      await flushNext()
    },
  }
}
