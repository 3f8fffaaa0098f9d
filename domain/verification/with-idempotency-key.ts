import { DomainError } from '../errors.ts'
import { lookEveryMs } from '../fairness/waiting-requests.ts'
import { type TenantScope, whileIdle } from '../scope.ts'
import type { StartedVerification } from './confirm-start.ts'
import {
  type IdempotencyLock,
  lockKey,
  lockMs,
  type RequestDigests,
  readKey,
  toDigest,
  unlockIdempotencyKey,
} from './idempotency-lock.ts'

/** The longest wait for the first request with a key; a second less is still longer than the provider's deadline. */
const keyWaitMsMax = 12_000

export interface KeyedRequest {
  key: string
  /** What has to be the same whenever the key is used. */
  input: unknown
  /** Aborted when the client disconnects, which ends the wait for the first request. */
  signal?: AbortSignal | undefined
}

type Start = (lock: IdempotencyLock) => Promise<StartedVerification>

/**
 * Starts one verification per key and returns its response again; a second request waits for the first.
 * A failed start leaves nothing under the key. Throws `INVALID_REQUEST_BODY` for a key that was used with another input;
 * for a request that waits, `INTERNAL_ERROR` if the first one failed or still runs after 12 s, and
 * `RATE_LIMIT_EXCEEDED` if too many are waiting.
 */
export async function withIdempotencyKey(
  scope: TenantScope,
  { key, input, signal }: KeyedRequest,
  start: Start,
): Promise<StartedVerification> {
  const request = { keyDigest: toDigest(key), requestDigest: toDigest(JSON.stringify(input)) }
  const lock = await lockKey(scope, request)
  return lock ? await run(scope, lock, start) : await awaitResponse(scope, request, signal)
}

async function run(scope: TenantScope, lock: IdempotencyLock, start: Start): Promise<StartedVerification> {
  try {
    return await start(lock)
  } catch (error) {
    await unlockIdempotencyKey(scope.pool, { tenantId: scope.actor.tenantId, ...lock }).catch(err => {
      scope.log.warn({ err }, 'Could not unlock the idempotency key of a failed start; it expires in 20 s')
    })
    throw error
  }
}

/** The response of the request that owns the lock. Between two looks at it, it uses no connection to the database. */
async function awaitResponse(
  scope: TenantScope,
  request: RequestDigests,
  signal = new AbortController().signal,
): Promise<StartedVerification> {
  const endsAt = performance.now() + keyWaitMsMax
  const first = await readResponse(scope, request)
  if (first) return first
  using waiting = scope.waitingRequests.enter(scope.actor.tenantId)
  if (!waiting) throw tooManyWaiting()
  for (let goesOn = true; goesOn && performance.now() + lookEveryMs <= endsAt; ) {
    goesOn = await whileIdle(scope.request, () => scope.waitingRequests.nextLook(signal))
    if (signal.aborted) break
    const response = await readResponse(scope, request)
    if (response) return response
  }
  throw stillRunning()
}

/** The response of the key; undefined while the request that owns the lock is running. */
async function readResponse(
  scope: TenantScope,
  request: RequestDigests,
): Promise<StartedVerification | undefined> {
  const stored = await readKey(scope, request)
  if (!stored) throw firstFailed()
  const { verificationId, sessionUrl } = stored
  if (!sessionUrl) return undefined
  scope.request?.describe({ verificationId })
  return { verificationId, sessionUrl, replayed: true }
}

/** Those that wait don't try again by themselves: each would ask a provider anew that has just failed. */
function firstFailed(): DomainError {
  return firstRequestError('failed. Retry after the given delay.', 1)
}

/** After the delay, the lock of a request whose process was killed has expired. */
function stillRunning(): DomainError {
  const retryAfterSeconds = (lockMs - keyWaitMsMax + lookEveryMs) / 1_000
  return firstRequestError(
    'is still running. Retry with the same key after the given delay.',
    retryAfterSeconds,
  )
}

function firstRequestError(outcome: string, retryAfterSeconds: number): DomainError {
  const message = `The first request with this Idempotency-Key ${outcome}`
  return new DomainError('INTERNAL_ERROR', { message, details: { retryAfterSeconds } })
}

function tooManyWaiting(): DomainError {
  return new DomainError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many requests are waiting. Retry with the same Idempotency-Key after the given delay.',
    details: { retryAfterSeconds: 3 },
  })
}
