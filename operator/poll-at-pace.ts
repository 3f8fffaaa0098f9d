import { setTimeout as wait } from 'node:timers/promises'
import { ProviderUnavailable } from '#domain/ports.ts'
import { type AnyOperatorScope, scopeAt } from '#domain/scope.ts'
import {
  type PolledVerification,
  type PollOutcome,
  pollVerification,
} from '#domain/verification/poll-verification.ts'

interface PollCounts {
  polled: number
  /** Those whose status the provider's decision has changed. */
  changed: number
  /** Those that the provider could not be asked about, or whose answer was not understood. */
  failed: number
}

/** What is said meanwhile. */
export interface PollProgress {
  polled(counts: PollCounts): void
  /** Called for each verification that waits because the provider limits the rate of requests. */
  waiting(ms: number): void
}

/** How often the same verification is polled while the provider limits the rate of requests. */
const triesMax = 5

/**
 * Polls the provider for the verifications of one page a second, concurrently, and for all of a page before the next one.
 * Each decision is committed on its own, so it can be interrupted and repeated. While the provider is unavailable, it
 * goes on; while it limits the rate of requests, it waits as long as that asks for. Throws `DATABASE_ERROR`.
 */
export async function pollAtPace(
  scope: AnyOperatorScope,
  pages: AsyncIterable<PolledVerification[]> | Iterable<PolledVerification[]>,
  progress: PollProgress,
): Promise<{ counts: PollCounts; lastFailure: string | undefined }> {
  const counts = { polled: 0, changed: 0, failed: 0 }
  let lastFailure: string | undefined
  let nextAt = performance.now()
  for await (const page of pages) {
    await wait(Math.max(0, nextAt - performance.now()))
    nextAt = performance.now() + 1000
    const outcomes = page.map(verification => pollPatiently(scope, verification, progress))
    for (const outcome of await Promise.all(outcomes)) {
      counts.polled++
      if (outcome === 'applied') counts.changed++
      if (!(outcome instanceof ProviderUnavailable)) continue
      counts.failed++
      lastFailure = outcome.message
    }
    progress.polled(counts)
  }
  return { counts, lastFailure }
}

async function pollPatiently(
  scope: AnyOperatorScope,
  verification: PolledVerification,
  { waiting }: PollProgress,
): Promise<PollOutcome> {
  for (let tries = 1; ; tries++) {
    const outcome = await pollVerification(scopeAt(scope, scope.clock()), verification)
    if (!(outcome instanceof ProviderUnavailable) || outcome.retryAfterMs === undefined) return outcome
    if (tries === triesMax) return outcome
    waiting(outcome.retryAfterMs)
    await wait(outcome.retryAfterMs)
  }
}
