import { setTimeout as wait } from 'node:timers/promises'
import type { DependencyState } from './health.ts'

const retryMs = 2_000

/** Checks a dependency at this interval, and each two seconds while it isn't up, so that no probe has to. */
export function watchDependency(
  check: (closing: AbortSignal) => Promise<DependencyState | undefined>,
  everyMs: number,
) {
  const closing = new AbortController()
  const { signal } = closing
  let state: DependencyState | undefined
  async function watch(): Promise<void> {
    for (;;) {
      state = await check(signal)
      await wait(state === 'up' ? everyMs : retryMs, undefined, { signal, ref: false })
    }
  }
  watch().catch(() => undefined)
  return {
    /** Undefined while it is not known. */
    state: () => state,
    close: () => closing.abort(),
  }
}
