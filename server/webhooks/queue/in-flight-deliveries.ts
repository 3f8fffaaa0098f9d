import { LRUCache } from 'lru-cache'
import type { ClaimLimits } from '#domain/webhook/claim-deliveries.ts'

/**
 * The deliveries in flight in this process, and which tenants' receivers are unresponsive. Unresponsive tenants
 * share half of the capacity. While half of it or more is used, no tenant gets a third concurrent delivery, so
 * that receivers can't take all of it before they are known to be unresponsive.
 */
export interface InFlightDeliveries {
  /** What can be claimed now, at most `batch` deliveries. */
  claimLimits(batch: number): ClaimLimits
  /** Runs the work, which must not reject, and counts it as in flight until it has finished. */
  run(tenantId: string, work: () => Promise<void>): void
  /** Updates whether the tenant's receiver is unresponsive. */
  recordResult(tenantId: string, result: { ok: boolean; durationMs: number }): void
  /** Resolves when the deliveries that are in flight now have finished. */
  drain(): Promise<void>
}

export interface InFlightOptions {
  /** Concurrent deliveries of this process at most. */
  concurrency: number
  /** Concurrent deliveries of one tenant at most, over all processes. */
  concurrencyPerTenant: number
  /** Called when a delivery starts and when it has finished. */
  onChange(inFlight: number): void
  /** Called when a delivery has finished and its capacity is free. */
  onFinished(): void
}

/** Concurrent deliveries of an unresponsive tenant at most. */
const unresponsiveConcurrency = 2

/** A failure that took at least this long counts as unresponsive, whatever its reason. */
const unresponsiveAfterMs = 1_000

/** Unresponsive tenants in the cache at most: every claim sends all of them. An evicted one is soon detected again. */
const unresponsiveTenantsMax = 2_000

export function createInFlightDeliveries(options: InFlightOptions): InFlightDeliveries {
  const { concurrency, concurrencyPerTenant, onChange, onFinished } = options
  const running = new Set<Promise<void>>()
  const countByTenant = new Map<string, number>()
  const unresponsive = new LRUCache<string, true>({ max: unresponsiveTenantsMax })
  const half = Math.ceil(concurrency / 2)

  function count(tenantId: string, change: 1 | -1): void {
    const inFlight = (countByTenant.get(tenantId) ?? 0) + change
    if (inFlight > 0) countByTenant.set(tenantId, inFlight)
    else countByTenant.delete(tenantId)
  }

  return {
    claimLimits(batch) {
      const inFlightUnresponsive = countByTenant
        .entries()
        .reduce((sum, [tenantId, inFlight]) => sum + (unresponsive.has(tenantId) ? inFlight : 0), 0)
      return {
        free: Math.min(batch, concurrency - running.size),
        perTenant: concurrencyPerTenant,
        wide: Math.max(0, half - running.size),
        hungTenants: [...unresponsive.keys()],
        perHungTenant: Math.min(unresponsiveConcurrency, concurrencyPerTenant),
        hung: Math.max(0, half - inFlightUnresponsive),
      }
    },
    run(tenantId, work) {
      const delivery = work().finally(() => {
        running.delete(delivery)
        count(tenantId, -1)
        onChange(running.size)
        onFinished()
      })
      running.add(delivery)
      count(tenantId, 1)
      onChange(running.size)
    },
    recordResult(tenantId, { ok, durationMs }) {
      if (!ok && durationMs >= unresponsiveAfterMs) unresponsive.set(tenantId, true)
      else unresponsive.delete(tenantId)
    },
    async drain() {
      await Promise.all(running)
    },
  }
}
