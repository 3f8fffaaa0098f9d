import type { VerificationResult } from './api-types.ts'
import { CompletionTimeoutError } from './errors.ts'
import { callHook } from './hooks.ts'
import { assertMilliseconds } from './options.ts'
import { pause } from './pause.ts'
import type { WithResponse } from './response-info.ts'
import { isTransient } from './retry.policy.ts'

export interface WaitOptions {
  signal?: AbortSignal | undefined
  /** How long to wait altogether, in milliseconds, until a last look at the status; 10 minutes by default. */
  timeoutMs?: number | undefined
  /** Between two requests, if the service responds without a change or fails; 3,000 by default. */
  pollingIntervalMs?: number | undefined
}

export interface ChangeOptions extends WaitOptions {
  /** The status that you know. */
  from: VerificationResult['status']
}

export interface CompletionOptions extends WaitOptions {
  /** Called with the status as it is, and after each change. What it throws is logged and changes nothing. */
  onStatus?: ((verification: Status) => unknown) | undefined
  /** Whether to return when your user has to go to the hosted page again. False by default: it waits for the result. */
  stopAtResubmission?: boolean | undefined
}

type Status = WithResponse<VerificationResult>

/** Reads the status once, without retries. The service responds when it has changed, `waitSeconds` later at the latest. */
export type ReadStatus = (waitSeconds: number) => Promise<Status>

/** Proxies commonly end a request after 30 seconds. */
export const waitSecondsMax = 25

/** A window of the rate limit. */
export const retryAfterMsMax = 60_000

/** Reads the status until it is another than `from`. */
export function waitForChange(readStatus: ReadStatus, { from, ...options }: ChangeOptions): Promise<Status> {
  return waitUntil(readStatus, ({ status }) => status !== from, { ...options, seesFirst: true })
}

/** Reads the status until the verification is completed, or has to be repeated by the user, if that was asked for. */
export function waitForCompletion(
  readStatus: ReadStatus,
  { onStatus, stopAtResubmission = false, ...options }: CompletionOptions,
): Promise<Status> {
  let reported: string | undefined
  async function readAndReport(waitSeconds: number): Promise<Status> {
    const verification = await readStatus(waitSeconds)
    if (verification.status !== reported) await callHook('onStatus', onStatus, verification)
    reported = verification.status
    return verification
  }
  function isOver(verification: Status): boolean {
    const isCompleted = verification.completedAt !== null
    return isCompleted || (stopAtResubmission && verification.status === 'resubmission')
  }
  const seesFirst = onStatus !== undefined || stopAtResubmission
  return waitUntil(readAndReport, isOver, { ...options, seesFirst })
}

/** Through outages of the service and its rate limits. With `seesFirst` the first response does not wait for a change. */
async function waitUntil(
  readStatus: ReadStatus,
  isOver: (verification: Status) => boolean,
  { signal, timeoutMs = 600_000, pollingIntervalMs = 3_000, seesFirst }: WaitOptions & { seesFirst: boolean },
): Promise<Status> {
  assertMilliseconds('timeoutMs', timeoutMs)
  assertMilliseconds('pollingIntervalMs', pollingIntervalMs)
  const deadline = performance.now() + timeoutMs
  let last: Status | undefined
  for (;;) {
    const sentAt = performance.now()
    const isFirstLook = seesFirst && last === undefined
    let pauseMs: number
    let failure: unknown
    try {
      const remainingSeconds = Math.max(0, Math.floor((deadline - sentAt) / 1000))
      const verification = await readStatus(isFirstLook ? 0 : Math.min(waitSecondsMax, remainingSeconds))
      if (isOver(verification)) return verification
      const hasChanged = last !== undefined && last.status !== verification.status
      pauseMs = hasChanged || isFirstLook ? 0 : pollingIntervalMs - (performance.now() - sentAt)
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

/** Spreads the requests of clients that began together. */
export function jitter(): number {
  return 0.9 + Math.random() * 0.2
}
