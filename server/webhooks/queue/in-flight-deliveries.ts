import type { ClaimedDelivery, ClaimLimits } from '#domain/webhook/claim-deliveries.ts'

/**
 * The deliveries in flight in this process, and which of their tenants' receivers are unresponsive. Unresponsive
 * tenants share half of the capacity. While half of it or more is used, no tenant gets a third concurrent delivery, so
 * that receivers can't take all of it before they are known to be unresponsive.
 */
export interface InFlightDeliveries {
  /** What can be claimed now, at most `batch` deliveries. */
  claimLimits(batch: number): ClaimLimits
  /** Runs the work, which must not reject, and counts it as in flight until it has finished. */
  run(delivery: Pick<ClaimedDelivery, 'tenantId' | 'isUnresponsive'>, work: () => Promise<void>): void
  /** Updates whether the tenant's receiver is unresponsive. */
  recordResult(tenantId: string, isUnresponsive: boolean): void
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

export function createInFlightDeliveries(options: InFlightOptions): InFlightDeliveries {
  const { concurrency, concurrencyPerTenant, onChange, onFinished } = options
  const running = new Set<Promise<void>>()
  const tenants = new Map<string, { inFlight: number; isUnresponsive: boolean }>()
  const half = Math.ceil(concurrency / 2)

  return {
    claimLimits(batch) {
      const unresponsive = tenants
        .values()
        .reduce((sum, { inFlight, isUnresponsive }) => sum + (isUnresponsive ? inFlight : 0), 0)
      return {
        free: Math.min(batch, concurrency - running.size),
        perTenant: concurrencyPerTenant,
        thirdOrLater: Math.max(0, half - running.size),
        perUnresponsiveTenant: Math.min(unresponsiveConcurrency, concurrencyPerTenant),
        unresponsive: Math.max(0, half - unresponsive),
      }
    },
    run({ tenantId, isUnresponsive }, work) {
      const tenant = tenants.get(tenantId) ?? { inFlight: 0, isUnresponsive }
      tenants.set(tenantId, tenant)
      tenant.inFlight += 1
      tenant.isUnresponsive = isUnresponsive
      const finished = work().finally(() => {
        running.delete(finished)
        tenant.inFlight -= 1
        if (tenant.inFlight === 0) tenants.delete(tenantId)
        onChange(running.size)
        onFinished()
      })
      running.add(finished)
      onChange(running.size)
    },
    recordResult(tenantId, isUnresponsive) {
      const tenant = tenants.get(tenantId)
      if (tenant) tenant.isUnresponsive = isUnresponsive
    },
    async drain() {
      await Promise.all(running)
    },
  }
}
