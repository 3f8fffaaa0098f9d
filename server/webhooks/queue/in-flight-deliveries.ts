import type { ClaimedDelivery, ClaimLimits } from '#domain/webhook/claim-deliveries.ts'

/**
 * The deliveries in flight in this process, and which tenants have a receiver that hangs. The more tenants have some in
 * flight, the fewer each may have: so receivers that respond need few connections, and a hundred that begin to hang can't
 * take all of the capacity before they are known. Those that are known take turns in half of it.
 */
export interface InFlightDeliveries {
  /** What can be claimed now. Gives those that hang their turns. */
  claimLimits(): ClaimLimits
  /** Runs the work, which must not reject, and counts it as in flight until it has finished. */
  run(delivery: Pick<ClaimedDelivery, 'tenantId'>, work: () => Promise<void>): void
  /** Updates whether the tenant's receiver hangs. */
  recordResult(tenantId: string, isHanging: boolean): void
  /** Resolves when the deliveries that are in flight now have finished. */
  drain(): Promise<void>
}

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

/** Concurrent deliveries of a tenant whose receiver hangs, and of each if many tenants have some. */
const concurrencyMin = 2

/** Tenants that are known to have a receiver that hangs, at most. */
const hangingMax = 2_000

export function createInFlightDeliveries(options: InFlightOptions): InFlightDeliveries {
  const { concurrency, concurrencyPerTenant, onFinished } = options
  const half = Math.ceil(concurrency / 2)
  const least = Math.min(concurrencyMin, concurrencyPerTenant)
  const running = new Set<Promise<void>>()
  const countByTenant = new Map<string, number>()
  /** Whose turn is next comes first. */
  const hanging = new Set<string>()

  /** How many deliveries each tenant whose receiver hangs may have: none if it isn't its turn. */
  function takeTurns(): Record<string, number> {
    const waiting = [...hanging].filter(tenantId => !countByTenant.has(tenantId))
    const used = [...hanging].reduce((sum, tenantId) => sum + (countByTenant.get(tenantId) ?? 0), 0)
    const next = waiting.slice(0, Math.max(0, Math.floor((half - used) / least)))
    const limits = Object.fromEntries([...hanging].map(tenantId => [tenantId, 0]))
    for (const tenantId of next) {
      limits[tenantId] = least
      hanging.delete(tenantId)
      hanging.add(tenantId)
    }
    return limits
  }

  return {
    claimLimits() {
      const tenants = countByTenant.keys().reduce((sum, id) => sum + Number(!hanging.has(id)), 0)
      const share = Math.floor(concurrency / 4 / tenants)
      return {
        limit: Math.min(batchMax, concurrency - running.size),
        perTenant: Math.max(least, Math.min(concurrencyPerTenant, share)),
        exceptions: takeTurns(),
      }
    },
    run({ tenantId }, work) {
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
    recordResult(tenantId, isHanging) {
      if (!isHanging) hanging.delete(tenantId)
      else if (hanging.add(tenantId).size > hangingMax) hanging.delete(hanging.values().next().value!)
    },
    async drain() {
      await Promise.all(running)
    },
  }
}
