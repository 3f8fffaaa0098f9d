import type { StatusChanges, StatusSubscription, StatusWait } from '#domain/ports.ts'
import { connectionsMax } from '../http/listen.ts'

/** Of the connections that a process accepts; the others are for requests that don't wait, the provider's among them. */
export const waitsMax = 0.8 * connectionsMax

/** A tenant may have so many times as many waiting requests as are still free: alone 6,000 of 8,000, one of many a few. */
const shareOfFree = 3

/**
 * Whether one more request of a tenant may wait in this process. However many one tenant has, with all of its keys, others
 * can still wait.
 */
function mayWait({ ofTenant, all }: { ofTenant: number; all: number }): boolean {
  return ofTenant < shareOfFree * (waitsMax - all)
}

type Outcome = 'changed' | 'over'

/** The requests of this process that wait for a change of a status. */
export class StatusWaits implements StatusChanges {
  readonly #byId = new Map<string, Set<Waiting>>()
  readonly #countByTenant = new Map<string, number>()
  #subscribed = 0
  #waiting = 0
  #isEnding = false

  /** How many are waiting, and so take no time; not those that are reading the status. */
  get count(): number {
    return this.#waiting
  }

  /** Whether no request has subscribed. */
  get isEmpty(): boolean {
    return this.#subscribed === 0
  }

  publish(id: string): void {
    for (const waiting of this.#byId.get(id) ?? []) waiting.changed()
  }

  /** Every request reads its status again: changes may have been missed. */
  wakeAll(): void {
    for (const each of this.#byId.values()) for (const waiting of each) waiting.changed()
  }

  /** Ends every wait, and those that are still to begin. */
  end(): void {
    this.#isEnding = true
    for (const each of this.#byId.values()) for (const waiting of each) waiting.end()
  }

  subscribe({ id, tenantId, waitMs, signal }: StatusWait): StatusSubscription | undefined {
    const ofTenant = this.#countByTenant.get(tenantId) ?? 0
    if (!mayWait({ ofTenant, all: this.#subscribed })) return undefined
    const waiting = new Waiting(this.#isEnding ? 0 : waitMs, signal)
    const ofId = this.#byId.get(id) ?? new Set()
    this.#byId.set(id, ofId.add(waiting))
    this.#countByTenant.set(tenantId, ofTenant + 1)
    this.#subscribed++
    return {
      next: () => this.#next(waiting),
      close: () => {
        waiting.close()
        if (!ofId.delete(waiting)) return
        if (ofId.size === 0) this.#byId.delete(id)
        this.#release(tenantId)
      },
    }
  }

  async #next(waiting: Waiting): Promise<Outcome> {
    this.#waiting++
    const outcome = await waiting.next()
    this.#waiting--
    return outcome
  }

  #release(tenantId: string): void {
    this.#subscribed--
    const left = this.#countByTenant.get(tenantId)! - 1
    if (left > 0) this.#countByTenant.set(tenantId, left)
    else this.#countByTenant.delete(tenantId)
  }
}

/** One request that waits. A change before it waits is not lost. */
class Waiting {
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal
  #isChanged = false
  #isOver = false
  #resolve: ((outcome: Outcome) => void) | undefined

  constructor(waitMs: number, signal: AbortSignal) {
    this.#timer = setTimeout(this.end, waitMs)
    this.#signal = signal
    signal.addEventListener('abort', this.end)
    if (signal.aborted) this.end()
  }

  next(): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.#resolve = resolve
    this.#settle()
    return promise
  }

  changed(): void {
    this.#isChanged = true
    this.#settle()
  }

  readonly end = (): void => {
    this.#isOver = true
    this.#settle()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#signal.removeEventListener('abort', this.end)
    this.end()
  }

  #settle(): void {
    if (!this.#resolve || !(this.#isChanged || this.#isOver)) return
    this.#resolve(this.#isOver ? 'over' : 'changed')
    this.#resolve = undefined
    this.#isChanged = false
  }
}
