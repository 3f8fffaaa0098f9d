import { type KeyRequest, keyRequests } from '#domain/api-key/api-key.policy.ts'
import type { KeyRequests } from '#domain/api-key/record-key-requests.ts'
import { dayOf } from '#domain/usage/usage-period.ts'

const dayMs = 24 * 60 * 60 * 1000

interface DayCounts extends Record<KeyRequest, number> {
  tenantId: string
  apiKeyId: string
  /** Counted from the epoch. */
  day: number
}

/** Counts requests by key, endpoint and UTC day in memory. An object per key, and nothing per request, is created. */
export class KeyRequestCounts {
  /** Of each key's latest day. */
  #latest = new Map<string, DayCounts>()
  /** Of days before that, and those that could not be written. */
  #others = new Map<string, DayCounts>()

  count(
    { tenantId, apiKeyId }: { tenantId: string; apiKeyId: string },
    request: KeyRequest,
    now: Date,
  ): void {
    const day = Math.floor(now.getTime() / dayMs)
    let counts = this.#latest.get(apiKeyId)
    if (counts?.day !== day) {
      if (counts) this.putBack([counts])
      counts = {
        tenantId,
        apiKeyId,
        day,
        starts: 0,
        statusReads: 0,
        submits: 0,
        completes: 0,
        validations: 0,
      }
      this.#latest.set(apiKeyId, counts)
    }
    counts[request] += 1
  }

  /** Removes and returns what was counted, no two of the same key and day. */
  take(): DayCounts[] {
    this.putBack([...this.#latest.values()])
    const taken = [...this.#others.values()]
    this.#latest = new Map()
    this.#others = new Map()
    return taken
  }

  /** Keeps counts that could not be written for the next time. */
  putBack(unwritten: readonly DayCounts[]): void {
    for (const counts of unwritten) {
      const key = `${counts.apiKeyId} ${counts.day}`
      const known = this.#others.get(key)
      if (known) for (const request of keyRequests) known[request] += counts[request]
      else this.#others.set(key, counts)
    }
  }
}

export function toKeyRequests({ day, ...counts }: DayCounts): KeyRequests {
  return { ...counts, day: dayOf(new Date(day * dayMs)) }
}
