/** Counts the failed tries of each webhook since the process started; after a restart the short delays begin anew. */
export class RetrySchedule {
  readonly #delaysSeconds: number[]
  readonly #failures = new Map<string, number>()

  /** The last delay repeats. */
  constructor(delaysSeconds: number[]) {
    this.#delaysSeconds = delaysSeconds
  }

  nextDelayMs(deliveryId: string): number {
    const failures = this.#failures.get(deliveryId) ?? 0
    this.#failures.set(deliveryId, failures + 1)
    return (this.#delaysSeconds[failures] ?? this.#delaysSeconds.at(-1) ?? 3600) * 1000
  }

  forget(deliveryId: string): void {
    this.#failures.delete(deliveryId)
  }
}
