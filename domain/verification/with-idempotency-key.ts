import { createHash } from 'node:crypto'
import { boolean, bytes, nullable, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import { newId } from '../ids.ts'
import { type TenantScope, whileIdle } from '../scope.ts'
import type { KeyedResponse, StartedVerification } from './confirm-start.ts'

/** How long a key returns its first response. */
export const keyLifetimeMs = 24 * 60 * 60 * 1000

/** How long a request without a response is assumed to be running; the provider's deadline is 10 s. */
const lockMs = 20_000

/** How long a request waits for the first one with its key: longer than the provider's deadline. */
const keyWaitMsMax = 12_000

export interface KeyedRequest {
  key: string
  /** What has to be the same whenever the key is used. */
  input: unknown
  /** Aborted when the client disconnects, which ends the wait for the first request. */
  signal?: AbortSignal | undefined
}

/** The lock on a key, owned by the request that starts the verification of this id. */
export interface IdempotencyLock {
  keyDigest: string
  verificationId: string
}

/**
 * Starts one verification per key and returns its response again; a second request waits for the first, and fails with it.
 * A failed start leaves nothing under the key. Throws `INVALID_REQUEST_BODY` for a key that was used with another input;
 * for a request that waits, `INTERNAL_ERROR` if the first one failed in another process or still runs after 12 s, and
 * `RATE_LIMIT_EXCEEDED` if too many are waiting.
 */
export async function withIdempotencyKey(
  scope: TenantScope,
  { key, input, signal }: KeyedRequest,
  start: (lock: IdempotencyLock) => Promise<StartedVerification>,
): Promise<StartedVerification> {
  const request = { keyDigest: digestOf(key), requestDigest: digestOf(JSON.stringify(input)) }
  const lock = await lockKey(scope, request)
  return lock ? await run(scope, lock, start) : await awaitResponse(scope, request, signal)
}

/** A digest of 128 bits takes half the room of a key, on the row and in the index. */
function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 32)
}

interface RequestDigests {
  keyDigest: string
  /** Of the input. */
  requestDigest: string
}

async function lockKey(scope: TenantScope, request: RequestDigests): Promise<IdempotencyLock | undefined> {
  // Later than the time of the request, whose body may have arrived slowly: the provider has all of its time.
  const now = scope.clock()
  const [locked] = await lockIdempotencyKey(scope.pool, {
    tenantId: scope.actor.tenantId,
    ...request,
    now,
    verificationId: newId(scope.now),
    lockedUntil: new Date(now.getTime() + lockMs),
    expiredAt: new Date(now.getTime() - keyLifetimeMs),
  })
  return locked && { keyDigest: request.keyDigest, verificationId: locked.verificationId }
}

async function run(
  scope: TenantScope,
  lock: IdempotencyLock,
  start: (lock: IdempotencyLock) => Promise<StartedVerification>,
): Promise<StartedVerification> {
  const { verificationId } = lock
  const attempt: { failure?: unknown } = {}
  scope.runningStarts.set(verificationId, attempt)
  try {
    return await start(lock)
  } catch (error) {
    attempt.failure = error
    await unlockIdempotencyKey(scope.pool, { tenantId: scope.actor.tenantId, ...lock }).catch(cause => {
      scope.log.warn(
        { err: cause },
        'Could not unlock the idempotency key of a failed start; it expires in 20 s',
      )
    })
    throw error
  } finally {
    scope.runningStarts.delete(verificationId)
    scope.statusChanges.publish(verificationId)
  }
}

/** The response of the request that owns the lock. While it waits, it uses no connection to the database. */
async function awaitResponse(
  scope: TenantScope,
  request: RequestDigests,
  signal = new AbortController().signal,
): Promise<StartedVerification> {
  const { tenantId } = scope.actor
  const locked = await readKey(scope, request)
  if (!locked) throw firstFailed()
  if (locked.response) return locked.response
  const { verificationId } = locked
  const attempt = scope.runningStarts.get(verificationId)
  const wait = { verificationId, tenantId, waitMs: keyWaitMsMax, signal }
  const subscription = scope.statusChanges.subscribe(wait)
  if (!subscription) throw tooManyWaiting()
  try {
    let outcome: 'changed' | 'over' = 'changed'
    while (!signal.aborted) {
      if (attempt?.failure) throw attempt.failure
      const stored = await readKey(scope, request)
      if (stored?.response) return stored.response
      if (stored?.verificationId !== verificationId) throw firstFailed()
      if (outcome === 'over') break
      outcome = await whileIdle(scope.log, () => subscription.next())
    }
    throw stillRunning()
  } finally {
    subscription.close()
  }
}

/** The verification of the key, and its response unless the request that owns the lock is still running. */
async function readKey(scope: TenantScope, request: RequestDigests) {
  const { tenantId } = scope.actor
  const [stored] = await readIdempotencyKey(scope.pool, { tenantId, ...request })
  if (!stored) return undefined
  if (!stored.isSameRequest) throw otherInput()
  const { verificationId, encryptedSessionUrl } = stored
  if (!encryptedSessionUrl) return { verificationId, response: undefined }
  scope.log.describe?.({ verificationId })
  const sessionUrl = scope.cipher.open(encryptedSessionUrl, sessionUrlPurpose(tenantId, verificationId))
  const response = { verificationId, sessionUrl, provider: scope.provider.name, replayed: true }
  return { verificationId, response }
}

/** The response for the owner of the lock. */
export function respondUnder(
  { keyDigest, verificationId }: IdempotencyLock,
  { actor, cipher }: TenantScope,
  sessionUrl: string,
): KeyedResponse {
  const purpose = sessionUrlPurpose(actor.tenantId, verificationId)
  return { keyDigest, encryptedSessionUrl: cipher.seal(sessionUrl, purpose) }
}

/** Those that wait don't try again by themselves: each would ask a provider anew that has just failed. */
function firstFailed(): DomainError {
  return new DomainError('INTERNAL_ERROR', {
    message: 'The first request with this Idempotency-Key failed. Retry after the given delay.',
    details: { retryAfterSeconds: 1 },
  })
}

/** After the delay, the lock of a request whose process was killed has expired. */
function stillRunning(): DomainError {
  return new DomainError('INTERNAL_ERROR', {
    message:
      'The first request with this Idempotency-Key is still running. Retry with the same key after the given delay.',
    details: { retryAfterSeconds: (lockMs - keyWaitMsMax) / 1_000 },
  })
}

function tooManyWaiting(): DomainError {
  return new DomainError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many requests are waiting. Retry with the same Idempotency-Key after the given delay.',
    details: { retryAfterSeconds: 3 },
  })
}

function otherInput(): DomainError {
  return new DomainError('INVALID_REQUEST_BODY', {
    message:
      'The Idempotency-Key was used with another body in the last 24 hours. Use a new key for a new request.',
    details: {
      issues: [{ path: 'Idempotency-Key', message: 'was used with another body' }],
      reason: 'idempotency_key_reused',
    },
  })
}

export function sessionUrlPurpose(tenantId: string, verificationId: string): string {
  return `session-url:${tenantId}:${verificationId}`
}

export const lockIdempotencyKey = statement({
  name: 'lock-idempotency-key',
  text: `insert into idempotency_key as k
     (tenant_id, key_digest, request_digest, verification_id, created_at, locked_until)
   values (:tenantId, :keyDigest, :requestDigest, :verificationId, :now, :lockedUntil)
   on conflict (tenant_id, key_digest) do update set request_digest = excluded.request_digest,
     verification_id = excluded.verification_id, created_at = excluded.created_at,
     locked_until = excluded.locked_until, encrypted_session_url = null
   where k.created_at <= :expiredAt or (k.encrypted_session_url is null and k.locked_until <= :now)
   returning verification_id as "verificationId"`,
  values: {
    tenantId: uuid,
    keyDigest: uuid,
    requestDigest: uuid,
    verificationId: uuid,
    now: timestamp,
    lockedUntil: timestamp,
    /** A key that was created then or earlier is free again. */
    expiredAt: timestamp,
  },
  row: { verificationId: uuid },
})

export const readIdempotencyKey = statement({
  name: 'read-idempotency-key',
  text: `select request_digest = :requestDigest as "isSameRequest", verification_id as "verificationId",
     encrypted_session_url as "encryptedSessionUrl"
   from idempotency_key where tenant_id = :tenantId and key_digest = :keyDigest`,
  values: { tenantId: uuid, keyDigest: uuid, requestDigest: uuid },
  row: { isSameRequest: boolean, verificationId: uuid, encryptedSessionUrl: nullable(bytes) },
})

export const unlockIdempotencyKey = statement({
  name: 'unlock-idempotency-key',
  text: `delete from idempotency_key
   where tenant_id = :tenantId and key_digest = :keyDigest and verification_id = :verificationId
     and encrypted_session_url is null`,
  values: { tenantId: uuid, keyDigest: uuid, verificationId: uuid },
  row: {},
})
