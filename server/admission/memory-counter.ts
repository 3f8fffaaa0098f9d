import type { RequestCounter } from '#domain/ports.ts'
import { windowNumber } from '#domain/rate-window.ts'

/** Counts in this process's memory, so it's for deployments with a single process. */
export function createMemoryCounter(): RequestCounter {
  /** By the window's number: a request that was late is counted in its own. */
  const windows = new Map<number, Map<string, number>>()
  function openWindow(window: number): Map<string, number> {
    let counts = windows.get(window)
    if (!counts) {
      for (const each of windows.keys()) if (each < window - 1) windows.delete(each)
      counts = new Map()
      windows.set(window, counts)
    }
    return counts
  }
  return {
    async count(bucket, now) {
      const counts = openWindow(windowNumber(now))
      const count = (counts.get(bucket) ?? 0) + 1
      counts.set(bucket, count)
      return count
    },
  }
}
