import { cacheBriefly } from '#domain/cache-briefly.ts'

/** Shorter than the default timeout of common probes (1 s), so that they get a response in any case. */
const deadlineMs = 800
/** How long a result counts, so that requests of anyone cost one probe a second. */
const cachedMs = 1_000

export type DependencyState = 'up' | 'down'

export type Probe = () => Promise<DependencyState>

/** A dependency is up if `send` resolves within 800 ms. Requests share a probe, and its result for a second. */
export function createProbe(send: () => Promise<unknown>): Probe {
  const cached = cacheBriefly(cachedMs, async (): Promise<DependencyState> => {
    try {
      await inTime(send())
      return 'up'
    } catch {
      return 'down'
    }
  })
  return () => cached(undefined, performance.now())
}

async function inTime(sent: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  // After a pause of this process, a response may have arrived that has not been read yet.
  const timer = setTimeout(() => setImmediate(() => late.reject(new Error('timeout'))), deadlineMs)
  try {
    await Promise.race([sent, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
