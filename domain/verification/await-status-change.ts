import { assertStillAdmitted } from '../api-key/assert-still-admitted.ts'
import { DomainError } from '../errors.ts'
import type { StatusSubscription } from '../ports.ts'
import { type ApiKeyActorScope, scopeAt, whileIdle } from '../scope.ts'
import { getVerificationStatus } from './get-verification-status.ts'
import type { StatusReport } from './status-report.ts'

/** The longest that a request can wait for a change. */
export const waitSecondsMax = 60

/** The polling interval that start recommends: whoever cannot wait, polls. */
const retryAfterSeconds = 3

export interface AwaitedChange {
  verificationId: string
  waitMs: number
  /** Aborted when the client disconnects; the result is then of no use. */
  signal: AbortSignal
}

/**
 * The status as soon as it differs from the one at the call, or when the time is over. A completed verification has no
 * change to wait for. While it waits, it uses no connection to the database. Throws `VERIFICATION_NOT_FOUND`, also for
 * another tenant's verification; `RATE_LIMIT_EXCEEDED` if too many requests are waiting; after the wait, an
 * `AdmissionError` if the API key has lost its access meanwhile.
 */
export async function awaitStatusChange(
  scope: ApiKeyActorScope,
  { verificationId, waitMs, signal }: AwaitedChange,
): Promise<StatusReport> {
  const { tenantId } = scope.actor
  const subscription = scope.statusChanges.subscribe({ verificationId, tenantId, waitMs, signal })
  try {
    const first = await getVerificationStatus(scope, verificationId)
    if (first.completedAt) return first
    if (!subscription) throw tooManyWaiting()
    return await nextStatus(scope, first, subscription, signal)
  } finally {
    subscription?.close()
  }
}

async function nextStatus(
  scope: ApiKeyActorScope,
  first: StatusReport,
  subscription: StatusSubscription,
  signal: AbortSignal,
): Promise<StatusReport> {
  for (;;) {
    scope.request?.setWaiting(true)
    const outcome = await whileIdle(scope.request, () => subscription.next())
    scope.request?.setWaiting(false)
    if (signal.aborted) return first
    const later = scopeAt(scope, scope.clock())
    // In one turn of the event loop, so that requests that were woken together share their look-ups.
    const [current] = await Promise.all([
      getVerificationStatus(later, first.verificationId),
      assertStillAdmitted(later, 'verifications:read'),
    ])
    if (outcome === 'over' || current.status !== first.status || current.completedAt) return current
  }
}

/** An error, because it is what makes any client pause: one that gets the status at once would ask again at once. */
function tooManyWaiting(): DomainError {
  return new DomainError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many requests are waiting for a change. Retry after the given delay, or without `wait`.',
    details: { retryAfterSeconds },
  })
}
