import type { VerificationChange, VerificationChangesPage } from './api-types.ts'
import { assertMilliseconds } from './options.ts'
import { pause } from './pause.ts'
import { toOver18 } from './response-forms.ts'
import { isTransient } from './retry.policy.ts'
import { jitter, retryAfterMsMax, waitSecondsMax } from './wait-for-status.ts'

export interface ChangesOptions {
  signal?: AbortSignal | undefined
  /** Whether to wait for what is still to come. True by default; if false, it ends where nothing is new. */
  follow?: boolean | undefined
  /** Between two requests, if the service responds without a change or fails; 3,000 by default. */
  pollingIntervalMs?: number | undefined
}

/** Reads the page after a cursor once, without retries. The service responds when there is a change, or after the wait. */
export type ReadChanges = (after: string, waitSeconds: number) => Promise<VerificationChangesPage>

/** Page after page, through outages of the service and its rate limits. */
export async function* listChanges(
  readChanges: ReadChanges,
  after: string,
  { signal, follow = true, pollingIntervalMs = 3_000 }: ChangesOptions,
): AsyncGenerator<VerificationChange, void, undefined> {
  assertMilliseconds('pollingIntervalMs', pollingIntervalMs)
  for (let cursor = after; ; ) {
    const sentAt = performance.now()
    let page: VerificationChangesPage | undefined
    let pauseMs: number
    try {
      page = await readChanges(cursor, follow ? waitSecondsMax : 0)
      pauseMs = pollingIntervalMs - (performance.now() - sentAt)
    } catch (error) {
      if (!isTransient(error)) throw error
      pauseMs = Math.min((error.retryAfterSeconds ?? 0) * 1000 || pollingIntervalMs, retryAfterMsMax)
    }
    if (page && page.items.length > 0) {
      const last = page.items.pop()!
      // Whoever stops within a page begins with it again.
      for (const item of page.items) yield { ...item, over18: toOver18(item), cursor }
      yield { ...last, over18: toOver18(last), cursor: page.next }
      cursor = page.next
      continue
    }
    if (page && !follow) return
    await pause(Math.max(0, pauseMs) * jitter(), signal)
  }
}
