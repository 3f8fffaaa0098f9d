import { LRUCache } from 'lru-cache'
import type { KeyRequest } from '#domain/api-key/api-key.policy.ts'
import { recordKeyRequests } from '#domain/api-key/record-key-requests.ts'
import { type KeyUse, recordKeyUse } from '#domain/api-key/record-key-use.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import type { DomainLog } from '#domain/scope.ts'
import { KeyRequestCounts, toKeyRequests } from './key-request-counts.ts'

const lastUsesEveryMs = 1_000
const countsEveryMs = 10_000
/** Counts of keys in one statement. */
const countsPerStatement = 1_000
const minuteMs = 60_000
/** How many keys have their last recorded minute cached, so that a busy key is written once a minute. */
const cachedKeysMax = 50_000

export interface KeyUsageRecorder {
  /** Queues the use, which is written about a second later, and counts it for its day, which is written every 10 s. */
  record(key: { tenantId: string; apiKeyId: string }, request: KeyRequest, now: Date): void
  /** Writes what is queued and counted. */
  close(): Promise<void>
}

/**
 * Records when keys were last used, and how often by day, in batches, so that no request waits for it. A failed write is only
 * logged; counts are kept until the next one.
 */
export function createKeyUsageRecorder(pool: StatementPool, log: DomainLog): KeyUsageRecorder {
  let queued = new Map<string, KeyUse>()
  const lastMinutes = new LRUCache<string, number>({ max: cachedKeysMax })
  const counts = new KeyRequestCounts()
  async function writeLastUses(): Promise<void> {
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
  async function writeCounts(): Promise<void> {
    const taken = counts.take()
    try {
      while (taken.length > 0) {
        await recordKeyRequests(pool, taken.slice(-countsPerStatement).map(toKeyRequests))
        taken.splice(-countsPerStatement)
      }
    } catch (error) {
      counts.putBack(taken)
      log.warn({ err: error, keys: taken.length }, 'The requests of API keys could not be recorded')
    }
  }
  const lastUses = inTurns(writeLastUses)
  const counted = inTurns(writeCounts)
  const timers = [setInterval(lastUses, lastUsesEveryMs), setInterval(counted, countsEveryMs)]
  for (const timer of timers) timer.unref()
  return {
    record(key, request, now) {
      counts.count(key, request, now)
      const { tenantId, apiKeyId } = key
      const minute = Math.floor(now.getTime() / minuteMs)
      if (lastMinutes.get(apiKeyId) === minute) return
      lastMinutes.set(apiKeyId, minute)
      queued.set(apiKeyId, { tenantId, apiKeyId, at: now })
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all([lastUses(), counted()])
    },
  }
}

/** The same work, of which one run begins when the one before has ended. */
function inTurns(work: () => Promise<void>): () => Promise<void> {
  let latest = Promise.resolve()
  return () => {
    latest = latest.then(work)
    return latest
  }
}
