import type { VerificationChange, VerificationChangesPage } from './api-types.ts'
import { ChangesMissedError } from './errors.ts'
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

/** Page after page, through outages of the service and its rate limits. Throws a `ChangesMissedError` behind a page that says so. */
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
    if (page && (page.items.length > 0 || page.missedBefore)) {
      const { items, next, missedBefore } = page
      const last = missedBefore ? undefined : items.pop()
      // Whoever stops within a page, or before it is known what is missed, begins with it again.
      for (const item of items) yield { ...item, over18: toOver18(item), cursor }
      if (missedBefore) throw new ChangesMissedError(missedBefore, next)
      if (last) yield { ...last, over18: toOver18(last), cursor: next }
      cursor = next
      continue
    }
    if (page && !follow) return
    await pause(Math.max(0, pauseMs) * jitter(), signal)
  }
}
