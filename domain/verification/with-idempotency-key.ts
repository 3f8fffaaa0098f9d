import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { boolean, bytes, nullable, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import { newId } from '../ids.ts'
import { scopeAt, type TenantScope } from '../scope.ts'
import type { StartedVerification } from './start-verification.ts'

/** How long a key returns its first response. */
export const keyLifetimeMs = 24 * 60 * 60 * 1000

/** How long a request without a response is assumed to be running; the provider's deadline is 10 s. */
const lockMs = 20_000

/** Between two reads of the first response: doubled each time, so that many waiters load the database little. */
const waitMsMin = 50
const waitMsMax = 400

export interface KeyedRequest {
  key: string
  /** What has to be the same whenever the key is used. */
  input: unknown
}

/** The lock on a key, owned by the request that starts the verification of this id. */
export interface IdempotencyLock {
  keyDigest: string
  verificationId: string
}

/** What the verification is stored with, so that its key returns the same response from then on. */
export interface KeyedResponse {
  keyDigest: string
  encryptedSessionUrl: Buffer
}

/**
 * Starts one verification per key and returns its response again; a second request waits for the first. A failed
 * start leaves nothing under the key. The start gets a scope of the time at which the key was locked: a request may
 * have waited much longer than a reservation lives. Throws `INVALID_REQUEST_BODY` for a key that was used with
 * another input.
 */
export async function withIdempotencyKey(
  scope: TenantScope,
  { key, input }: KeyedRequest,
  start: (scope: TenantScope, lock: IdempotencyLock) => Promise<StartedVerification>,
): Promise<StartedVerification> {
  const { tenantId } = scope.actor
  const request = { keyDigest: digestOf(key), requestDigest: digestOf(JSON.stringify(input)) }
  for (let waitMs = waitMsMin; ; waitMs = Math.min(2 * waitMs, waitMsMax)) {
    const now = scope.clock()
    const lock = await lockKey(scope, request, now)
    if (lock) return await run(scopeAt(scope, now), lock, start)
    const [stored] = await readIdempotencyKey(scope.pool, { tenantId, ...request })
    if (stored && !stored.isSameRequest) throw otherInput()
    if (stored?.encryptedSessionUrl) {
      const { verificationId } = stored
      scope.log.describe?.({ verificationId })
      const purpose = sessionUrlPurpose(tenantId, verificationId)
      const sessionUrl = scope.cipher.open(stored.encryptedSessionUrl, purpose)
      return { verificationId, sessionUrl, replayed: true }
    }
    await delay(waitMs)
  }
}

/** A digest of 128 bits takes half the room of a key, on the row and in the index. */
function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 32)
}

async function lockKey(
  scope: TenantScope,
  request: { keyDigest: string; requestDigest: string },
  now: Date,
): Promise<IdempotencyLock | undefined> {
  const [locked] = await lockIdempotencyKey(scope.pool, {
    tenantId: scope.actor.tenantId,
    ...request,
    now,
    verificationId: newId(now),
    lockedUntil: new Date(now.getTime() + lockMs),
    expiredAt: new Date(now.getTime() - keyLifetimeMs),
  })
  return locked && { keyDigest: request.keyDigest, verificationId: locked.verificationId }
}

async function run(
  scope: TenantScope,
  lock: IdempotencyLock,
  start: (scope: TenantScope, lock: IdempotencyLock) => Promise<StartedVerification>,
): Promise<StartedVerification> {
  try {
    return await start(scope, lock)
  } catch (error) {
    await unlockIdempotencyKey(scope.pool, { tenantId: scope.actor.tenantId, ...lock }).catch(cause => {
      scope.log.warn(
        { err: cause },
        'Could not unlock the idempotency key of a failed start; it expires in 20 s',
      )
    })
    throw error
  }
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
