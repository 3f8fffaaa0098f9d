import { LRUCache } from 'lru-cache'
import type { ClaimLimits } from '#domain/webhook/claim-deliveries.ts'

export interface SlotLimits {
  /** Deliveries in flight in this process at most. */
  slots: number
  /** Deliveries in flight for one tenant at most. */
  perTenant: number
}

/** What a tenant gets whose last attempt hung. */
const perHungTenant = 2

/** A failure that took longer has held its slot as if the receiver hung, whatever its reason. */
const hungAfterMs = 1_000

/** Hung tenants that are remembered: all travel with every claim. One that is forgotten is soon found again. */
const hungTenantsMax = 2_000

/**
 * Which tenants hold this process's slots, and whose receivers hang. The tenants whose last attempt hung hold
 * half of the slots together. Of the other half a tenant gets two, so that receivers that hang for the first
 * time don't take it all before that is known.
 */
export interface Slots {
  readonly used: number
  take(tenantId: string): void
  free(tenantId: string): void
  /** Learns from how an attempt ended. */
  attemptEnded(tenantId: string, outcome: { ok: boolean; durationMs: number }): void
  /** What may be claimed now. */
  limits(batch: number): ClaimLimits
}

export function createSlots({ slots, perTenant }: SlotLimits): Slots {
  const held = new Map<string, number>()
  const hung = new LRUCache<string, true>({ max: hungTenantsMax })
  const half = Math.ceil(slots / 2)
  let used = 0
  return {
    get used() {
      return used
    },
    take(tenantId) {
      held.set(tenantId, (held.get(tenantId) ?? 0) + 1)
      used += 1
    },
    free(tenantId) {
      const left = (held.get(tenantId) ?? 0) - 1
      if (left > 0) held.set(tenantId, left)
      else held.delete(tenantId)
      used -= 1
    },
    attemptEnded(tenantId, { ok, durationMs }) {
      if (!ok && durationMs >= hungAfterMs) hung.set(tenantId, true)
      else hung.delete(tenantId)
    },
    limits(batch) {
      const heldByHung = held
        .entries()
        .reduce((sum, [tenantId, count]) => sum + (hung.has(tenantId) ? count : 0), 0)
      return {
        free: Math.min(batch, slots - used),
        perTenant,
        wide: Math.max(0, half - used),
        hungTenants: [...hung.keys()],
        perHungTenant: Math.min(perHungTenant, perTenant),
        hung: Math.max(0, half - heldByHung),
      }
    },
  }
}
