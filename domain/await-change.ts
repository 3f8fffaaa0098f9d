import { setTimeout as wait } from 'node:timers/promises'
import { assertStillAdmitted } from './api-key/assert-still-admitted.ts'
import { DomainError } from './errors.ts'
import { type ApiKeyActorScope, scopeAt, whileIdle } from './scope.ts'

/** The longest that a request can wait for a change. */
export const waitSecondsMax = 60

/** Before a value is read again that changes soon: longer than a commit, and so that those who wait for long cost little. */
const pauseMsMin = 50
const pauseMsMax = 2_000

/** The polling interval that start recommends: whoever cannot wait, polls. */
const retryAfterSeconds = 3

export interface Wait {
  waitMs: number
  /** Aborted when the client disconnects; the result is then of no use. */
  signal: AbortSignal
}

export interface AwaitedChange<Value> extends Wait {
  /** What `StatusChanges` publishes. */
  id: string
  read(scope: ApiKeyActorScope): Promise<Value>
  /** Whether there is nothing to wait for: `first` is undefined for the value at the call. */
  isAwaited(current: Value, first: Value | undefined): boolean
  /** Whether it is going to change without being published: it is read again soon, and then less and less often. */
  changesSoon?(current: Value): boolean
}

/**
 * The value as soon as it is awaited, or when the time is over. While it waits, it uses no connection to the database. For
 * keys with the scope `verifications:read`. Throws what `read` throws; `RATE_LIMIT_EXCEEDED` if too many requests are waiting;
 * after the wait, an `AdmissionError` if the API key has lost its access meanwhile.
 */
export async function awaitChange<Value>(
  scope: ApiKeyActorScope,
  { id, waitMs, signal, read, isAwaited, changesSoon = () => false }: AwaitedChange<Value>,
): Promise<Value> {
  const { tenantId } = scope.actor
  const subscription = scope.statusChanges.subscribe({ id, tenantId, waitMs, signal })
  try {
    const first = await read(scope)
    if (isAwaited(first, undefined)) return first
    if (!subscription) throw tooManyWaiting()
    let next = subscription.next()
    for (let pauseMs = changesSoon(first) ? pauseMsMin : undefined; ; ) {
      scope.request?.setWaiting(true)
      const outcome = await whileIdle(scope.request, () => nextWithin(next, pauseMs))
      scope.request?.setWaiting(false)
      if (signal.aborted) return first
      if (outcome === 'changed') next = subscription.next()
      const later = scopeAt(scope, scope.clock())
      // In one turn of the event loop, so that requests that were woken together share their look-ups.
      const [current] = await Promise.all([read(later), assertStillAdmitted(later, 'verifications:read')])
      if (outcome === 'over' || isAwaited(current, first)) return current
      pauseMs = changesSoon(current) ? Math.min((pauseMs ?? pauseMsMin / 2) * 2, pauseMsMax) : undefined
    }
  } finally {
    subscription?.close()
  }
}

/** The next outcome, or `unchanged` if there is none within the time. */
async function nextWithin<Outcome>(next: Promise<Outcome>, pauseMs: number | undefined) {
  if (pauseMs === undefined) return await next
  const timer = new AbortController()
  try {
    return await Promise.race([next, wait(pauseMs, 'unchanged' as const, timer)])
  } finally {
    timer.abort()
  }
}

/** An error, because it is what makes any client pause: one that gets the status at once would ask again at once. */
function tooManyWaiting(): DomainError {
  return new DomainError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many requests are waiting for a change. Retry after the given delay, or without `wait`.',
    details: { retryAfterSeconds },
  })
}
