import type { ClaimedDelivery, ClaimLimits } from '#domain/webhook/claim-deliveries.ts'

export interface InFlightOptions {
  /** Concurrent deliveries of this process at most. */
  concurrency: number
  /** Concurrent deliveries of one tenant at most, over all processes. */
  concurrencyPerTenant: number
  /** Called when a delivery has finished and its capacity is free. */
  onFinished(): void
}

/** Deliveries of one claim at most: the first of them are not sent before the last is claimed. */
const batchMax = 128

/**
 * The deliveries in flight in this process. The more tenants have some, the fewer each may have, down to one: receivers that
 * respond need few connections, and a thousand that hang don't take all of the capacity.
 */
export function createInFlightDeliveries(options: InFlightOptions) {
  const { concurrency, concurrencyPerTenant, onFinished } = options
  const running = new Set<Promise<void>>()
  const countByTenant = new Map<string, number>()
  return {
    /** What can be claimed now. */
    claimLimits(): ClaimLimits {
      const share = Math.floor(concurrency / 4 / countByTenant.size)
      return {
        limit: Math.min(batchMax, concurrency - running.size),
        perTenant: Math.max(1, Math.min(concurrencyPerTenant, share)),
      }
    },
    /** Runs the work, which must not reject, and counts it as in flight until it has finished. */
    run({ tenantId }: Pick<ClaimedDelivery, 'tenantId'>, work: () => Promise<void>): void {
      countByTenant.set(tenantId, (countByTenant.get(tenantId) ?? 0) + 1)
      const finished = work().finally(() => {
        running.delete(finished)
        const left = countByTenant.get(tenantId)! - 1
        if (left > 0) countByTenant.set(tenantId, left)
        else countByTenant.delete(tenantId)
        onFinished()
      })
      running.add(finished)
    },
    /** Resolves when the deliveries that are in flight now have finished. */
    async drain(): Promise<void> {
      await Promise.all(running)
    },
  }
}
