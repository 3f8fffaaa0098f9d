/** A clock that stands still until it is moved; or runs with the system's, shifted, when it is let go. */
export interface TestClock {
  (): Date
  /** Moves it on. */
  advance(ms: number): void
  set(moment: Date): void
}

export function createTestClock(start: Date = new Date()): TestClock {
  let now = start.getTime()
  return Object.assign(() => new Date(now), {
    advance(ms: number) {
      now += ms
    },
    set(moment: Date) {
      now = moment.getTime()
    },
  })
}
