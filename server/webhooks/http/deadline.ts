import { AttemptError } from './attempt-error.ts'

/** The deadline that all steps of an attempt share. */
export interface Deadline {
  /** Aborts with an `AttemptError` for `timeout`. */
  readonly signal: AbortSignal
  /** Idempotent. */
  cancel(): void
}

export function startDeadline(milliseconds: number): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new AttemptError('timeout')), milliseconds)
  return { signal: controller.signal, cancel: () => clearTimeout(timer) }
}

/** Settles like the given promise, or rejects with the signal's reason if that aborts first. */
export async function withinDeadline<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
