/** A signal that is aborted at a deadline, or with another signal. `end` releases the timer and the other signal. */
export interface Deadline {
  signal: AbortSignal
  /** Whether the time is over. */
  readonly isOver: boolean
  end(): void
}

/** Unlike `AbortSignal.any`, it leaves nothing behind on a long-lived signal. */
export function startDeadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const abort = () => controller.abort(outer?.reason)
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    controller.abort()
  }, ms)
  if (outer?.aborted) abort()
  else outer?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    end() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', abort)
    },
  }
}
