import { assertStillAdmitted } from './api-key/assert-still-admitted.ts'
import { DomainError } from './errors.ts'
import { type ApiKeyActorScope, scopeAt, whileIdle } from './scope.ts'

/** The longest that a request can wait for a change. */
export const waitSecondsMax = 60

/** The polling interval that start recommends: whoever cannot wait, polls. */
const retryAfterSeconds = 3

export interface Wait {
  waitMs: number
  /** Aborted when the client disconnects; the result is then of no use. */
  signal: AbortSignal
}

export interface AwaitedChange<Value> extends Wait {
  read(scope: ApiKeyActorScope): Promise<Value>
  /** Whether there is nothing to wait for: `first` is undefined for the value at the call. */
  isAwaited(current: Value, first: Value | undefined): boolean
}

/**
 * The value as soon as it is awaited, or when the time is over: it is read once a second, by all waiting requests together.
 * Between two reads, it uses no connection to the database. For keys with the scope `verifications:read`. Throws what `read`
 * throws; `RATE_LIMIT_EXCEEDED` if too many requests are waiting; after the wait, an `AdmissionError` if the API key has lost
 * its access meanwhile.
 */
export async function awaitChange<Value>(
  scope: ApiKeyActorScope,
  { waitMs, signal, read, isAwaited }: AwaitedChange<Value>,
): Promise<Value> {
  const endsAt = performance.now() + waitMs
  const first = await read(scope)
  if (isAwaited(first, undefined)) return first
  using waiting = scope.waitingRequests.enter(scope.actor.tenantId)
  if (!waiting) throw tooManyWaiting()
  for (;;) {
    scope.request?.setWaiting(true)
    const goesOn = await whileIdle(scope.request, () => scope.waitingRequests.nextLook(signal))
    scope.request?.setWaiting(false)
    if (signal.aborted) return first
    const later = scopeAt(scope, scope.clock())
    // In one turn of the event loop, so that they share their look-ups.
    const [current] = await Promise.all([read(later), assertStillAdmitted(later, 'verifications:read')])
    if (!goesOn || performance.now() >= endsAt || isAwaited(current, first)) return current
  }
}

/** An error, because it is what makes any client pause: one that gets the status at once would ask again at once. */
function tooManyWaiting(): DomainError {
  return new DomainError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many requests are waiting for a change. Retry after the given delay, or without `wait`.',
    details: { retryAfterSeconds },
  })
}
