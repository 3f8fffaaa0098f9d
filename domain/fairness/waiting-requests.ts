import { setTimeout as pause } from 'node:timers/promises'

/** A tenant may have so many times as many waiting requests as are still free: alone 6,000 of 8,000, one of many a few. */
const shareOfFree = 3

/** Between two reads of what is waited for. */
export const lookEveryMs = 1_000

/**
 * The requests of a process that wait for a change, bounded for each tenant and in all. They all look again at the same
 * moments, so that their look-ups share statements.
 */
export class WaitingRequests {
  readonly #max: number
  readonly #countByTenant = new Map<string, number>()
  readonly #ending = new AbortController()
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  get count(): number {
    return this.#count
  }

  /** Counts a request until it is disposed of. Undefined if too many of the tenant, or of the process, are waiting. */
  enter(tenantId: string): Disposable | undefined {
    const ofTenant = this.#countByTenant.get(tenantId) ?? 0
    if (ofTenant >= shareOfFree * (this.#max - this.#count)) return undefined
    this.#count += 1
    this.#countByTenant.set(tenantId, ofTenant + 1)
    return { [Symbol.dispose]: () => this.#leave(tenantId) }
  }

  /** Resolves at the next of the moments at which all of them look again; false if the wait has to end. */
  async nextLook(signal: AbortSignal): Promise<boolean> {
    const aborted = AbortSignal.any([signal, this.#ending.signal])
    const untilThen = lookEveryMs - (performance.now() % lookEveryMs)
    await pause(untilThen, undefined, { signal: aborted }).catch(() => undefined)
    return !aborted.aborted
  }

  /** Ends the waits of all, for a shutdown. */
  end(): void {
    this.#ending.abort()
  }

  #leave(tenantId: string): void {
    this.#count -= 1
    const left = this.#countByTenant.get(tenantId)! - 1
    if (left > 0) this.#countByTenant.set(tenantId, left)
    else this.#countByTenant.delete(tenantId)
  }
}
