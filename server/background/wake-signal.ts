import { setTimeout as wait } from 'node:timers/promises'

/** Ends a wait early. A wake-up before the wait begins is not lost. */
export class WakeSignal {
  #wakeUp = new AbortController()

  readonly wake = (): void => this.#wakeUp.abort()

  /** Resolves on a wake-up, or after the time. */
  async wait(milliseconds: number): Promise<void> {
    const { signal } = this.#wakeUp
    await wait(milliseconds, undefined, { signal }).catch(() => undefined)
    this.#wakeUp = new AbortController()
  }
}
