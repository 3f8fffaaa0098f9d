const sampleEveryMs = 10

export interface LoopTime {
  /**
   * The shortest time, in milliseconds, that an iteration of the event loop took since the last call. The shortest,
   * because a standing queue prolongs every iteration, while a garbage collection prolongs one.
   */
  take(): number
  close(): void
}

/** Measures how long the event loop takes to process everything that is ready: the delay of every request in it. */
export function measureLoopTime(): LoopTime {
  let shortest = Number.POSITIVE_INFINITY
  const timer = setInterval(() => {
    const startedAt = performance.now()
    // Immediates run after the timers' and the sockets' callbacks of the same iteration.
    setImmediate(() => {
      shortest = Math.min(shortest, performance.now() - startedAt)
    })
  }, sampleEveryMs).unref()
  return {
    take() {
      const taken = shortest
      shortest = Number.POSITIVE_INFINITY
      return Number.isFinite(taken) ? taken : 0
    },
    close: () => clearInterval(timer),
  }
}
