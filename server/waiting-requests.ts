import { setTimeout as pause } from 'node:timers/promises'
import type { WaitingRequests } from '#domain/ports.ts'
import { connectionsMax } from './http/listen.ts'

/** Of the connections that a process accepts; the others are for requests that don't wait, the provider's among them. */
const waitsMax = 0.8 * connectionsMax

/** A tenant may have so many times as many waiting requests as are still free: alone 6,000 of 8,000, one of many a few. */
const shareOfFree = 3

/** The requests of this process that wait. They all look again at the same moments, so that their look-ups share statements. */
export function createWaitingRequests() {
  const countByTenant = new Map<string, number>()
  const ending = new AbortController()
  let count = 0
  const requests: WaitingRequests = {
    enter(tenantId) {
      const ofTenant = countByTenant.get(tenantId) ?? 0
      if (ofTenant >= shareOfFree * (waitsMax - count)) return undefined
      count += 1
      countByTenant.set(tenantId, ofTenant + 1)
      return {
        [Symbol.dispose]() {
          count -= 1
          const left = countByTenant.get(tenantId)! - 1
          if (left > 0) countByTenant.set(tenantId, left)
          else countByTenant.delete(tenantId)
        },
      }
    },
    async nextLook(everyMs, signal) {
      const aborted = AbortSignal.any([signal, ending.signal])
      await pause(everyMs - (performance.now() % everyMs), undefined, { signal: aborted }).catch(
        () => undefined,
      )
      return !aborted.aborted
    },
  }
  return { requests, count: () => count, end: () => ending.abort() }
}
