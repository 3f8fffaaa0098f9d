import type { Timeline } from './timeline.ts'

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
