import { setTimeout as wait } from 'node:timers/promises'

/** Ends a wait early. A wake-up before the wait begins is not lost. */
export class WakeSignal {
  #wakeUp = new AbortController()

  // Without a reason, each call makes an exception with its stack.
  readonly wake = (): void => this.#wakeUp.abort('woken')

  /** Resolves on a wake-up, or after the time. */
  async wait(milliseconds: number): Promise<void> {
    const { signal } = this.#wakeUp
    await wait(milliseconds, undefined, { signal }).catch(() => undefined)
    this.#wakeUp = new AbortController()
  }
}
