import type { ReceiverConnection } from './receiver-connection.ts'

export interface PoolLimits {
  maxSocketsPerTenant: number
  maxSocketsTotal: number
}

/** Room for one connection of a tenant to one origin; empty until it is dialled. */
export interface Place {
  readonly tenantId: string
  readonly origin: string
  connection: ReceiverConnection | undefined
  /** `active`: an attempt needs it. `draining`: its answer's body is being read. `idle`: kept for the next. */
  use: 'active' | 'draining' | 'idle'
}

/**
 * The connections of all tenants, bounded for each tenant and in all. A tenant never gets another's
 * connection. Memory follows the connections that are open, not the receivers that were ever seen.
 */
export interface ConnectionPool {
  /** A kept connection to the origin, or an empty place; waits while active ones take up all the room. */
  take(tenantId: string, origin: string): Promise<Place>
  /** The attempt is over: from now on the place may be given to others. */
  drain(place: Place): void
  keep(place: Place): void
  /** Closes and forgets it; may be called more than once. */
  drop(place: Place): void
  /** Drops all. */
  close(): void
}

export function createConnectionPool({ maxSocketsPerTenant, maxSocketsTotal }: PoolLimits): ConnectionPool {
  /** A tenant's places, the least recently used first. */
  const tenants = new Map<string, Set<Place>>()
  /** The places that no attempt needs, the least recently used first. */
  const spares = new Set<Place>()
  const waiting: { tenantId: string; origin: string; resolve: (place: Place) => void }[] = []
  let total = 0

  function place(tenantId: string, origin: string): Place | undefined {
    const places = tenants.get(tenantId) ?? new Set()
    const kept = [...places].findLast(other => other.use === 'idle' && other.origin === origin)
    if (kept) return activate(kept)
    if (places.size >= maxSocketsPerTenant && !evict(places)) return undefined
    if (total >= maxSocketsTotal && !evict(spares)) return undefined
    const empty: Place = { tenantId, origin, connection: undefined, use: 'active' }
    // Evicting may have emptied the tenant's set and forgotten it.
    tenants.set(tenantId, (tenants.get(tenantId) ?? new Set()).add(empty))
    total += 1
    return empty
  }

  function activate(kept: Place): Place {
    spares.delete(kept)
    kept.use = 'active'
    return kept
  }

  /** Closes the longest unused spare one among the places, if there is any. */
  function evict(places: ReadonlySet<Place>): boolean {
    const oldest = places.values().find(other => other.use !== 'active')
    if (oldest) remove(oldest)
    return oldest !== undefined
  }

  function remove(gone: Place): boolean {
    const places = tenants.get(gone.tenantId)
    if (!places?.delete(gone)) return false
    if (places.size === 0) tenants.delete(gone.tenantId)
    spares.delete(gone)
    total -= 1
    gone.connection?.close()
    return true
  }

  function spare(freed: Place, use: 'draining' | 'idle'): void {
    const places = tenants.get(freed.tenantId)
    if (!places?.delete(freed)) return
    places.add(freed)
    spares.delete(freed)
    spares.add(freed)
    freed.use = use
    admit()
  }

  /** Gives room to those who wait, first come first served among those who may have it. */
  function admit(): void {
    for (const waiter of [...waiting]) {
      const found = place(waiter.tenantId, waiter.origin)
      if (!found) continue
      waiting.splice(waiting.indexOf(waiter), 1)
      waiter.resolve(found)
    }
  }

  return {
    take(tenantId, origin) {
      const found = place(tenantId, origin)
      if (found) return Promise.resolve(found)
      return new Promise(resolve => waiting.push({ tenantId, origin, resolve }))
    },
    drain: freed => spare(freed, 'draining'),
    keep: freed => spare(freed, 'idle'),
    drop(gone) {
      if (remove(gone)) admit()
    },
    close() {
      for (const places of [...tenants.values()]) for (const gone of [...places]) remove(gone)
    },
  }
}
