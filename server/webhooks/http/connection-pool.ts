import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReceiverConnection } from './receiver-connection.ts'

/**
 * The connections of all tenants, bounded per tenant and in total. Tenants never share a connection. Memory is
 * proportional to the open connections, not to the receivers ever used.
 */
export class ConnectionPool {
  readonly #limits: PoolLimits
  /** Slots by tenant, least recently used first. */
  readonly #tenants = new Map<string, Set<Slot>>()
  /** Draining and idle slots, least recently used first. They can be evicted. */
  readonly #evictable = new Set<Slot>()
  readonly #waiters: Waiter[] = []
  #total = 0

  constructor(limits: PoolLimits) {
    this.#limits = limits
  }

  /**
   * Returns a slot with a live connection to the origin, or an empty one. Waits while active slots reach a limit.
   * An idle connection is used only after a full turn of the event loop, in which a close that has already
   * arrived is processed. The first wait can end within the current turn, before sockets are polled.
   */
  async acquire(tenantId: string, origin: string): Promise<Slot> {
    for (;;) {
      const slot = this.#take(tenantId, origin) ?? (await this.#wait(tenantId, origin))
      if (!slot.connection) return slot
      await nextTurn()
      await nextTurn()
      if (slot.connection.isAlive()) return slot
      this.discard(slot)
    }
  }

  /** The attempt is complete: the slot can be evicted, although its response is still being read. */
  drain(slot: Slot): void {
    this.#makeEvictable(slot, 'draining')
  }

  /** The connection can be reused. */
  release(slot: Slot): void {
    this.#makeEvictable(slot, 'idle')
  }

  /** Closes the connection and frees the slot. Idempotent. */
  discard(slot: Slot): void {
    if (this.#remove(slot)) this.#admitWaiters()
  }

  /** Closes all connections. */
  close(): void {
    for (const slots of [...this.#tenants.values()]) for (const slot of [...slots]) this.#remove(slot)
  }

  #take(tenantId: string, origin: string): Slot | undefined {
    const slots = this.#tenants.get(tenantId) ?? new Set()
    const idle = [...slots].findLast(slot => slot.state === 'idle' && slot.origin === origin)
    if (idle) {
      this.#evictable.delete(idle)
      idle.state = 'active'
      return idle
    }
    if (slots.size >= this.#limits.maxSocketsPerTenant && !this.#evictOldest(slots)) return undefined
    if (this.#total >= this.#limits.maxSocketsTotal && !this.#evictOldest(this.#evictable)) return undefined
    return this.#add({ tenantId, origin, connection: undefined, state: 'active' })
  }

  #wait(tenantId: string, origin: string): Promise<Slot> {
    return new Promise(resolve => this.#waiters.push({ tenantId, origin, resolve }))
  }

  #add(slot: Slot): Slot {
    const slots = this.#tenants.get(slot.tenantId) ?? new Set()
    this.#tenants.set(slot.tenantId, slots.add(slot))
    this.#total += 1
    return slot
  }

  /** Evicts the least recently used slot that isn't active. Returns whether there was one. */
  #evictOldest(slots: ReadonlySet<Slot>): boolean {
    const oldest = slots.values().find(slot => slot.state !== 'active')
    return oldest !== undefined && this.#remove(oldest)
  }

  #remove(slot: Slot): boolean {
    const slots = this.#tenants.get(slot.tenantId)
    if (!slots?.delete(slot)) return false
    if (slots.size === 0) this.#tenants.delete(slot.tenantId)
    this.#evictable.delete(slot)
    this.#total -= 1
    slot.connection?.close()
    return true
  }

  #makeEvictable(slot: Slot, state: 'draining' | 'idle'): void {
    const slots = this.#tenants.get(slot.tenantId)
    // Already removed, by eviction or because it was closed.
    if (!slots?.delete(slot)) return
    slots.add(slot)
    this.#evictable.delete(slot)
    this.#evictable.add(slot)
    slot.state = state
    this.#admitWaiters()
  }

  /** Gives slots to the waiters whose limits permit it, first come, first served. */
  #admitWaiters(): void {
    for (const waiter of [...this.#waiters]) {
      const slot = this.#take(waiter.tenantId, waiter.origin)
      if (!slot) continue
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1)
      waiter.resolve(slot)
    }
  }
}

export interface PoolLimits {
  maxSocketsPerTenant: number
  maxSocketsTotal: number
}

/** A slot for one connection of a tenant to one origin. */
export interface Slot {
  readonly tenantId: string
  readonly origin: string
  /** Undefined until it is opened. */
  connection: ReceiverConnection | undefined
  /** `active`: an attempt uses it. `draining`: the response body is being read. `idle`: kept for reuse. */
  state: 'active' | 'draining' | 'idle'
}

interface Waiter {
  tenantId: string
  origin: string
  resolve: (slot: Slot) => void
}
