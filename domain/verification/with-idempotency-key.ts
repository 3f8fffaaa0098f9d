import { setTimeout as delay } from 'node:timers/promises'
import { bytes, nullable, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import { newId } from '../ids.ts'
import { scopeAt, type TenantScope } from '../scope.ts'

/** How long a key returns its first response. */
export const keyLifetimeMs = 24 * 60 * 60 * 1000

/** How long a request without a response is assumed to be running; the provider's deadline is 10 s. */
const lockMs = 20_000

/** Between two reads of the first response: doubled each time, so that many waiters load the database little. */
const waitMsMin = 50
const waitMsMax = 400

export interface KeyedRequest {
  key: string
  /** SHA-256 of the input. */
  requestHash: Buffer
}

/** A response as it is stored under its key. */
export interface KeyedResponse {
  key: string
  lockOwner: string
  encrypted: Buffer
}

/** The lock on a key, owned by the request that runs the work. */
export interface IdempotencyLock<Response> {
  /** What the work has to store in its own transaction, so that the key returns this response from then on. */
  respond(response: Response): KeyedResponse
}

/**
 * Runs the work once per key and returns its first response again; a second request waits for the first. Failed
 * work leaves nothing under the key. The work gets a scope of the time at which the key was locked: a request may
 * have waited much longer than a reservation lives. Throws `INVALID_REQUEST_BODY` for a key that was used with
 * another input.
 */
export async function withIdempotencyKey<Response>(
  scope: TenantScope,
  request: KeyedRequest,
  work: (scope: TenantScope, lock: IdempotencyLock<Response>) => Promise<Response>,
): Promise<Response> {
  const { tenantId } = scope.actor
  for (let waitMs = waitMsMin; ; waitMs = Math.min(2 * waitMs, waitMsMax)) {
    const now = scope.clock()
    const lockOwner = await lock(scope, request, now)
    if (lockOwner) return await run(scopeAt(scope, now), request.key, lockOwner, work)
    const [stored] = await readIdempotencyKey(scope.pool, { tenantId, key: request.key })
    if (stored && !stored.requestHash.equals(request.requestHash)) throw otherInput()
    if (stored?.response) {
      return JSON.parse(
        scope.cipher.open(stored.response, idempotencyKeyPurpose(tenantId, request.key)),
      ) as Response
    }
    await delay(waitMs)
  }
}

async function lock(scope: TenantScope, request: KeyedRequest, now: Date): Promise<string | undefined> {
  const [locked] = await lockIdempotencyKey(scope.pool, {
    tenantId: scope.actor.tenantId,
    ...request,
    now,
    lockOwner: newId(now),
    lockedUntil: new Date(now.getTime() + lockMs),
    expiredAt: new Date(now.getTime() - keyLifetimeMs),
  })
  return locked?.lockOwner
}

async function run<Response>(
  scope: TenantScope,
  key: string,
  lockOwner: string,
  work: (scope: TenantScope, lock: IdempotencyLock<Response>) => Promise<Response>,
): Promise<Response> {
  const { tenantId } = scope.actor
  try {
    return await work(scope, {
      respond(response) {
        const encrypted = scope.cipher.seal(JSON.stringify(response), idempotencyKeyPurpose(tenantId, key))
        return { key, lockOwner, encrypted }
      },
    })
  } catch (error) {
    await unlockIdempotencyKey(scope.pool, { tenantId, key, lockOwner }).catch(cause => {
      scope.log.warn(
        { err: cause },
        'Could not unlock the idempotency key of a failed start; it expires in 20 s',
      )
    })
    throw error
  }
}

function otherInput(): DomainError {
  return new DomainError('INVALID_REQUEST_BODY', {
    message: 'The Idempotency-Key was used with another body in the last 24 hours.',
    details: { issues: [{ path: 'Idempotency-Key', message: 'already used with another body' }] },
  })
}

export function idempotencyKeyPurpose(tenantId: string, key: string): string {
  return `idempotency-key:${tenantId}:${key}`
}

export const lockIdempotencyKey = statement({
  name: 'lock-idempotency-key',
  text: `insert into idempotency_key as k (tenant_id, key, request_hash, created_at, lock_owner, locked_until)
   values (:tenantId, :key, :requestHash, :now, :lockOwner, :lockedUntil)
   on conflict (tenant_id, key) do update set request_hash = excluded.request_hash,
     created_at = excluded.created_at, lock_owner = excluded.lock_owner, locked_until = excluded.locked_until,
     response = null
   where k.created_at <= :expiredAt or (k.response is null and k.locked_until <= :now)
   returning lock_owner as "lockOwner"`,
  values: {
    tenantId: uuid,
    key: text,
    requestHash: bytes,
    now: timestamp,
    lockOwner: uuid,
    lockedUntil: timestamp,
    /** A key that was created then or earlier is free again. */
    expiredAt: timestamp,
  },
  row: { lockOwner: uuid },
})

export const readIdempotencyKey = statement({
  name: 'read-idempotency-key',
  text: `select request_hash as "requestHash", response from idempotency_key
   where tenant_id = :tenantId and key = :key`,
  values: { tenantId: uuid, key: text },
  row: { requestHash: bytes, response: nullable(bytes) },
})

export const unlockIdempotencyKey = statement({
  name: 'unlock-idempotency-key',
  text: `delete from idempotency_key
   where tenant_id = :tenantId and key = :key and lock_owner = :lockOwner and response is null`,
  values: { tenantId: uuid, key: text, lockOwner: uuid },
  row: {},
})
