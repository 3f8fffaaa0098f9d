/** Wakes the one who waits; rung before the wait begins, it is not lost. */
export interface Alarm {
  ring(): void
  /** Ends when it is rung, or after the time. */
  wait(milliseconds: number): Promise<void>
}

export function createAlarm(): Alarm {
  let isRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      isRung = true
      wake?.()
    },
    async wait(milliseconds) {
      if (!isRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, milliseconds)
        await promise
        clearTimeout(timer)
        wake = undefined
      }
      isRung = false
    },
  }
}
