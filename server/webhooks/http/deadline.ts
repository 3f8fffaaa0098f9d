import { AttemptFailure } from './attempt-failure.ts'

/** The one deadline that all steps of an attempt share. */
export interface Deadline {
  /** Aborts with an `AttemptFailure` for `timeout`. */
  readonly signal: AbortSignal
  /** Calls it off; may be called more than once. */
  end(): void
}

export function startDeadline(milliseconds: number): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new AttemptFailure('timeout')), milliseconds)
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}

/** Settles like the given promise, or rejects at the deadline if that comes first. */
export async function withinDeadline<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    return await Promise.race([work, passed])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
