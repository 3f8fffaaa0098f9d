import { createHash } from 'node:crypto'
import { sharedLookup } from '../database/shared-statements.ts'
import { boolean, bytes, int, nullable, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
import { DomainError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { TenantScope } from '../scope.ts'

/** How long a key returns its first response. */
export const keyLifetimeMs = 24 * 60 * 60 * 1000

/** How long a request without a response is assumed to be running; the provider's deadline is 10 s. */
export const lockMs = 20_000

/** The lock on a key, owned by the request that starts the verification of this id. */
export interface IdempotencyLock {
  keyDigest: string
  verificationId: string
}

export interface RequestDigests {
  keyDigest: string
  /** Of the input. */
  requestDigest: string
}

/** A digest of 128 bits takes half the room of a key, on the row and in the index. */
export function toDigest(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 32)
}

/** Returns undefined for a key with a response, or whose request is running. */
export async function lockKey(
  scope: TenantScope,
  request: RequestDigests,
): Promise<IdempotencyLock | undefined> {
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

/** The verification of the key, and where its user completes the check unless the owner of the lock is still running. */
export async function readKey({ pool, cipher, actor: { tenantId } }: TenantScope, request: RequestDigests) {
  const stored = await findKey(pool, { tenantId, ...request })
  if (!stored) return undefined
  if (!stored.isSameRequest) throw otherInput()
  const { verificationId, encryptedSessionUrl: sealed } = stored
  const sessionUrl = sealed && cipher.open(sealed, sessionUrlPurpose(tenantId, verificationId))
  return { verificationId, sessionUrl }
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

const request = { tenantId: uuid, keyDigest: uuid, requestDigest: uuid }

export const readIdempotencyKeys = statement({
  name: 'read-idempotency-key',
  text: `select w.position::int, k.request_digest = w.request_digest as "isSameRequest",
     k.verification_id as "verificationId", k.encrypted_session_url as "encryptedSessionUrl"
   from ${valueRows(request)} cross join lateral (
     select request_digest, verification_id, encrypted_session_url from idempotency_key
     where tenant_id = w.tenant_id and key_digest = w.key_digest limit 1
   ) k`,
  values: arrayTypes(request),
  row: { position: int, isSameRequest: boolean, verificationId: uuid, encryptedSessionUrl: nullable(bytes) },
})

/** Of all requests that look at the same time, as those do that wait. */
const findKey = sharedLookup(request, readIdempotencyKeys)

export const unlockIdempotencyKey = statement({
  name: 'unlock-idempotency-key',
  text: `delete from idempotency_key
   where tenant_id = :tenantId and key_digest = :keyDigest and verification_id = :verificationId
     and encrypted_session_url is null`,
  values: { tenantId: uuid, keyDigest: uuid, verificationId: uuid },
  row: {},
})
