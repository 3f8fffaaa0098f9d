/**
 * What a fault may make the service answer: `database` is DATABASE_ERROR, `redis` is REDIS_ERROR, `provider` is
 * INTERNAL_ERROR about the identity provider, `reservation` is an INTERNAL_ERROR without details, `connection` is none at
 * all because the process is gone, and `delay` is none within the client's deadline.
 */
export type Effect = 'database' | 'redis' | 'provider' | 'reservation' | 'connection' | 'delay'

/** A fault that has begun. Times are milliseconds since the start of the run. */
export interface ActiveFault {
  name: string
  effects: readonly Effect[]
  /** The processes of the service that it reaches; all by default. */
  processes: readonly string[] | undefined
  startedAt: number
  /** Undefined while it lasts. */
  healedAt: number | undefined
}

/** How long after a fault its effects are still expected: for reconnecting, and for requests that waited. */
export const graceMs = 6_000

/** When which fault was in effect. */
export class Timeline {
  readonly faults: ActiveFault[] = []
  readonly #startedAt = performance.now()
  #recoveredAt = 0

  now(): number {
    return performance.now() - this.#startedAt
  }

  begin(fault: Pick<ActiveFault, 'name' | 'effects' | 'processes'>): ActiveFault {
    const active = { ...fault, startedAt: this.now(), healedAt: undefined }
    this.faults.push(active)
    return active
  }

  end(fault: ActiveFault): void {
    fault.healedAt = this.now()
  }

  /** From now on, faults that are over explain nothing but the waiting of requests with a longer grace. */
  recovered(): void {
    this.#recoveredAt = this.now()
  }

  /** Whether a fault explains the effect on a request to a process between two times. */
  explains(effect: Effect, process: string, from: number, to: number, grace = graceMs): boolean {
    return this.during(from, to, grace).some(
      fault => fault.effects.includes(effect) && (fault.processes?.includes(process) ?? true),
    )
  }

  /** The faults that were in effect at any time between two. */
  during(from: number, to: number, grace = graceMs): ActiveFault[] {
    const over = grace === graceMs && from > this.#recoveredAt ? this.#recoveredAt : 0
    return this.faults.filter(({ startedAt, healedAt = Number.POSITIVE_INFINITY }) => {
      return startedAt <= to && healedAt + grace >= from && healedAt >= over
    })
  }
}

/** A promise of the service that did not hold. */
export interface Violation {
  atMs: number
  promise: string
  /** What was seen, and the entry of the ledger that it contradicts. */
  facts: unknown
  /** Names of the faults in effect. */
  faults: string[]
}

export class Violations {
  readonly list: Violation[] = []
  readonly #timeline: Timeline
  readonly #onFound: (violation: Violation) => void

  constructor(timeline: Timeline, onFound: (violation: Violation) => void) {
    this.#timeline = timeline
    this.#onFound = onFound
  }

  add(promise: string, facts: unknown, since?: number): void {
    const atMs = this.#timeline.now()
    const faults = this.#timeline.during(since ?? atMs, atMs).map(({ name }) => name)
    const violation = { atMs, promise, facts, faults }
    this.list.push(violation)
    this.#onFound(violation)
  }
}
