/** A clock that shows a fixed time until a test changes it. */
export interface TestClock {
  (): Date
  /** Moves the time forward. */
  advance(ms: number): void
  set(time: Date): void
}

export function createTestClock(start: Date = new Date()): TestClock {
  let now = start.getTime()
  return Object.assign(() => new Date(now), {
    advance(ms: number) {
      now += ms
    },
    set(time: Date) {
      now = time.getTime()
    },
  })
}
