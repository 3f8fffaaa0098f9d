/** Ends a wait early. A wake-up before the wait begins is not lost. */
export interface WakeSignal {
  wake(): void
  /** Resolves on a wake-up, or after the time. */
  wait(milliseconds: number): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let isSet = false
  let resolveWait: (() => void) | undefined
  return {
    wake() {
      isSet = true
      resolveWait?.()
    },
    async wait(milliseconds) {
      if (!isSet) {
        const { promise, resolve } = Promise.withResolvers<void>()
        resolveWait = resolve
        const timer = setTimeout(resolve, milliseconds)
        await promise
        clearTimeout(timer)
        resolveWait = undefined
      }
      isSet = false
    },
  }
}
