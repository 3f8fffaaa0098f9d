import { type KeyUse, recordKeyUse } from '#domain/api-key/record-key-use.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import type { DomainLog } from '#domain/scope.ts'

const flushEveryMs = 1_000
const minuteMs = 60_000
/** Keys whose last minute is remembered, so that a busy key is written once a minute. */
const rememberedMax = 50_000

export interface KeyUses {
  note(key: { tenantId: string; apiKeyId: string }, now: Date): void
  close(): Promise<void>
}

/** Gathers the uses of keys and writes them together, so that no request waits for it. */
export function createKeyUses(pool: StatementPool, log: DomainLog): KeyUses {
  let waiting = new Map<string, KeyUse>()
  let remembered = new Map<string, number>()
  async function flush(): Promise<void> {
    if (waiting.size === 0) return
    const uses = waiting
    waiting = new Map()
    try {
      await recordKeyUse(pool, [...uses.values()])
    } catch (error) {
      for (const apiKeyId of uses.keys()) remembered.delete(apiKeyId)
      log.warn({ err: error, keys: uses.size }, 'The last use of some keys could not be recorded')
    }
  }
  let flushing = Promise.resolve()
  function flushNext(): Promise<void> {
    flushing = flushing.then(flush)
    return flushing
  }
  const timer = setInterval(flushNext, flushEveryMs).unref()
  return {
    note({ tenantId, apiKeyId }, now) {
      const minute = Math.floor(now.getTime() / minuteMs)
      if (remembered.get(apiKeyId) === minute) return
      if (remembered.size >= rememberedMax) remembered = new Map()
      remembered.set(apiKeyId, minute)
      waiting.set(apiKeyId, { tenantId, apiKeyId, at: now })
    },
    async close() {
      clearInterval(timer)
      await flushNext()
    },
  }
}
