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
export class ConnectionPool {
  readonly #limits: PoolLimits
  /** A tenant's places, the least recently used first. */
  readonly #tenants = new Map<string, Set<Place>>()
  /** The places that no attempt needs, the least recently used first. */
  readonly #spares = new Set<Place>()
  readonly #waiting: { tenantId: string; origin: string; resolve: (place: Place) => void }[] = []
  #total = 0

  constructor(limits: PoolLimits) {
    this.#limits = limits
  }

  /** A kept connection to the origin, or an empty place; waits while active ones take up all the room. */
  take(tenantId: string, origin: string): Promise<Place> {
    const found = this.#find(tenantId, origin)
    if (found) return Promise.resolve(found)
    return new Promise(resolve => this.#waiting.push({ tenantId, origin, resolve }))
  }

  /** The attempt is over: from now on the place gives way to others, though its connection is still read. */
  drain(place: Place): void {
    this.#spare(place, 'draining')
  }

  /** The connection is free for the next event. */
  keep(place: Place): void {
    this.#spare(place, 'idle')
  }

  /** Closes and forgets it; may be called more than once. */
  drop(place: Place): void {
    if (this.#remove(place)) this.#admit()
  }

  /** Drops all. */
  close(): void {
    for (const places of [...this.#tenants.values()]) for (const place of [...places]) this.#remove(place)
  }

  #find(tenantId: string, origin: string): Place | undefined {
    const places = this.#tenants.get(tenantId) ?? new Set()
    const kept = [...places].findLast(place => place.use === 'idle' && place.origin === origin)
    if (kept) {
      this.#spares.delete(kept)
      kept.use = 'active'
      return kept
    }
    if (places.size >= this.#limits.maxSocketsPerTenant && !this.#evict(places)) return undefined
    if (this.#total >= this.#limits.maxSocketsTotal && !this.#evict(this.#spares)) return undefined
    return this.#add({ tenantId, origin, connection: undefined, use: 'active' })
  }

  #add(place: Place): Place {
    const places = this.#tenants.get(place.tenantId) ?? new Set()
    this.#tenants.set(place.tenantId, places.add(place))
    this.#total += 1
    return place
  }

  /** Closes the longest unused spare one among the places, if there is any. */
  #evict(places: ReadonlySet<Place>): boolean {
    const oldest = places.values().find(place => place.use !== 'active')
    return oldest !== undefined && this.#remove(oldest)
  }

  #remove(place: Place): boolean {
    const places = this.#tenants.get(place.tenantId)
    if (!places?.delete(place)) return false
    if (places.size === 0) this.#tenants.delete(place.tenantId)
    this.#spares.delete(place)
    this.#total -= 1
    place.connection?.close()
    return true
  }

  #spare(place: Place, use: 'draining' | 'idle'): void {
    const places = this.#tenants.get(place.tenantId)
    // Dropped in the meantime, by eviction or because it was closed.
    if (!places?.delete(place)) return
    places.add(place)
    this.#spares.delete(place)
    this.#spares.add(place)
    place.use = use
    this.#admit()
  }

  /** Gives room to those who wait: first come, first served, among those who may have it. */
  #admit(): void {
    for (const waiter of [...this.#waiting]) {
      const found = this.#find(waiter.tenantId, waiter.origin)
      if (!found) continue
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
      waiter.resolve(found)
    }
  }
}
