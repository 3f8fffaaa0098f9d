import { LRUCache } from 'lru-cache'
import {
  type KeyCount,
  type KeyFailure,
  type KeyRequest,
  keyFailures,
  keyRequests,
  noKeyCounts,
} from '#domain/api-key/api-key.policy.ts'
import {
  type KeyRequests,
  type KeyUse,
  recordKeyRequests,
  recordKeyUse,
} from '#domain/api-key/record-key-requests.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import type { DomainLog } from '#domain/scope.ts'
import { dayMs, dayOf } from '#domain/usage/usage-period.ts'

const lastUsesEveryMs = 1_000
const countsEveryMs = 10_000
/** Counts of keys in one statement. */
const countsPerStatement = 1_000
const minuteMs = 60_000
/** How many keys have their last recorded minute cached, so that a busy key is written once a minute. */
const cachedKeysMax = 50_000

/**
 * Records when keys were last used, and how often by UTC day, in batches, so that no request waits for it. A failed
 * write is only logged; counts are kept until the next one.
 */
export function createKeyUsageRecorder(pool: StatementPool, log: DomainLog) {
  let queued = new Map<string, KeyUse>()
  const lastMinutes = new LRUCache<string, number>({ max: cachedKeysMax })
  /** Keys with a kind of request: its first count is written with the last uses, so that the user sees it at once. */
  const knownKinds = new LRUCache<string, true>({ max: cachedKeysMax })
  let hasFirst = false
  /** By key and day. */
  let counts = new Map<string, KeyRequests>()
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
    const taken = [...counts]
    counts = new Map()
    try {
      while (taken.length > 0) {
        await recordKeyRequests(
          pool,
          taken.slice(-countsPerStatement).map(([, counted]) => counted),
        )
        taken.splice(-countsPerStatement)
      }
    } catch (error) {
      for (const [id, unwritten] of taken) counts.set(id, addRequests(unwritten, counts.get(id)))
      log.warn({ err: error, keys: taken.length }, 'The requests of API keys could not be recorded')
    }
  }
  function count({ tenantId, apiKeyId }: CountedKey, what: KeyCount, now: Date): void {
    const id = `${apiKeyId} ${Math.floor(now.getTime() / dayMs)}`
    const known = counts.get(id)
    if (!known?.[what]) noteFirst(`${apiKeyId} ${what}`)
    if (known) known[what] += 1
    else counts.set(id, { tenantId, apiKeyId, day: dayOf(now), ...noKeyCounts, [what]: 1 })
  }
  function noteFirst(kind: string): void {
    hasFirst ||= !knownKinds.has(kind)
    knownKinds.set(kind, true)
  }
  const lastUses = inTurns(writeLastUses)
  const counted = inTurns(writeCounts)
  const writeFirsts = () => {
    if (hasFirst) void counted()
    hasFirst = false
  }
  const timers = [
    setInterval(lastUses, lastUsesEveryMs),
    setInterval(writeFirsts, lastUsesEveryMs),
    setInterval(counted, countsEveryMs),
  ]
  for (const timer of timers) timer.unref()
  return {
    /**
     * Queues the use, which is written about a second later, and counts it for its day, which is written every 10 s, but
     * about a second later if this process has not counted such a request of the key yet.
     */
    record({ tenantId, apiKeyId }: CountedKey, request: KeyRequest, now: Date): void {
      count({ tenantId, apiKeyId }, request, now)
      const minute = Math.floor(now.getTime() / minuteMs)
      if (lastMinutes.get(apiKeyId) === minute) return
      lastMinutes.set(apiKeyId, minute)
      queued.set(apiKeyId, { tenantId, apiKeyId, at: now })
    },
    /** Counts that a recorded request has failed. `now` is the request's. */
    recordFailure(key: CountedKey, failure: KeyFailure, now: Date): void {
      count(key, failure, now)
    },
    /** Writes what is queued and counted. */
    async close(): Promise<void> {
      for (const timer of timers) clearInterval(timer)
      await Promise.all([lastUses(), counted()])
    },
  }
}

type CountedKey = Omit<KeyUse, 'at'>

/** Counts of the same key and day together. */
function addRequests(one: KeyRequests, other: KeyRequests | undefined): KeyRequests {
  if (other) for (const what of [...keyRequests, ...keyFailures]) one[what] += other[what]
  return one
}

/** The same work, of which one run begins when the one before has ended. */
function inTurns(work: () => Promise<void>): () => Promise<void> {
  let latest = Promise.resolve()
  return () => {
    latest = latest.then(work)
    return latest
  }
}
