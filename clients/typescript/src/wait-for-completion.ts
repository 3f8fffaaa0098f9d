import type { CompletedVerification, VerificationResult } from './api-types.ts'
import { CompletionTimeoutError } from './errors.ts'
import { pause } from './pause.ts'
import { isTransient } from './retry.policy.ts'

export interface WaitOptions {
  signal?: AbortSignal | undefined
  /** How long to wait altogether, in milliseconds, until a last look at the status; 10 minutes by default. */
  timeoutMs?: number | undefined
  /** Between two requests, if the service responds without a change or fails; 3,000 by default. */
  pollingIntervalMs?: number | undefined
}

/** Reads the status once, without retries. The service responds when it has changed, `waitSeconds` later at the latest. */
export type ReadStatus = (waitSeconds: number) => Promise<VerificationResult>

/** Proxies commonly end a request after 30 seconds. */
const waitSecondsMax = 25

/** A window of the rate limit. */
const retryAfterMsMax = 60_000

/** Reads the status until the verification is completed, through outages of the service and its rate limits. */
export async function waitForCompletion(
  readStatus: ReadStatus,
  { signal, timeoutMs = 600_000, pollingIntervalMs = 3_000 }: WaitOptions,
): Promise<CompletedVerification> {
  const deadline = performance.now() + timeoutMs
  let last: VerificationResult | undefined
  for (;;) {
    const sentAt = performance.now()
    let pauseMs: number
    let failure: unknown
    try {
      const remainingSeconds = Math.max(0, Math.floor((deadline - sentAt) / 1000))
      const verification = await readStatus(Math.min(waitSecondsMax, remainingSeconds))
      if (isCompleted(verification)) return verification
      const hasChanged = last !== undefined && last.status !== verification.status
      pauseMs = hasChanged ? 0 : pollingIntervalMs - (performance.now() - sentAt)
      last = verification
    } catch (error) {
      if (!isTransient(error)) throw error
      failure = error
      pauseMs = Math.min((error.retryAfterSeconds ?? 0) * 1000 || pollingIntervalMs, retryAfterMsMax)
    }
    const remainingMs = deadline - performance.now()
    if (remainingMs <= 0) throw new CompletionTimeoutError(last, failure)
    await pause(Math.min(Math.max(0, pauseMs) * jitter(), remainingMs), signal)
  }
}

function isCompleted(verification: VerificationResult): verification is CompletedVerification {
  return verification.completedAt !== null
}

/** Spreads the requests of clients that began together. */
function jitter(): number {
  return 0.9 + Math.random() * 0.2
}
