import { DomainError } from '../errors.ts'
import { newId } from '../ids.ts'
import { ProviderUnavailable } from '../ports.ts'
import { type TenantScope, whileIdle } from '../scope.ts'
import { providerOf, startsTest } from '../tenant/test-tenant.policy.ts'
import { confirmStart, type StartedVerification } from './confirm-start.ts'
import { providerReturnUrl } from './find-return-url.ts'
import { type IdempotencyLock, sessionUrlPurpose } from './idempotency-lock.ts'
import { releaseStart } from './release-starts.ts'
import { reserveStart } from './reserve-start.ts'
import { withIdempotencyKey } from './with-idempotency-key.ts'

export interface StartInput {
  /** Like `ip`, only compared when an idempotency key is repeated, and not stored. */
  userAgent?: string | undefined
  ip?: string | undefined
  idempotencyKey?: string | undefined
  /** Aborted when the client disconnects: it no longer waits for another request with the key. */
  signal?: AbortSignal | undefined
}

/**
 * Starts a verification: uses quota, creates a session with the provider, stores it. With an idempotency key the
 * first response is returned again for 24 hours.
 * Throws `QUOTA_EXCEEDED`, `HARD_LIMIT_EXCEEDED`, `INTERNAL_ERROR` with `details.dependency` when the provider fails, and
 * then nothing is stored, with `details.retryAfterSeconds` when it says so; and as `withIdempotencyKey` does.
 */
export function startVerification(scope: TenantScope, input: StartInput): Promise<StartedVerification> {
  const { idempotencyKey: key, userAgent = null, ip = null, signal } = input
  if (key === undefined) return start(scope, input)
  return withIdempotencyKey(scope, { key, input: [userAgent, ip], signal }, lock => start(scope, input, lock))
}

async function start(scope: TenantScope, input: StartInput, lock?: IdempotencyLock) {
  const test = startsTest(scope)
  const provider = providerOf(scope, { test })
  const verificationId = lock?.verificationId ?? newId(scope.now)
  scope.request?.describe({ verificationId })
  const { comesBack } = await reserveStart(scope, verificationId)
  try {
    if (!provider) throw new ProviderUnavailable('rejected', 'TEST_TENANTS is not set')
    const callback = comesBack ? providerReturnUrl(scope.rules, verificationId) : undefined
    const { providerSessionId, sessionUrl } = await whileIdle(scope.request, () =>
      provider.createSession({ verificationId, callback, userAgent: input.userAgent ?? null }),
    )
    const purpose = sessionUrlPurpose(scope.actor.tenantId, verificationId)
    await confirmStart(scope, {
      verificationId,
      test,
      provider: provider.name,
      providerSessionId,
      keyDigest: lock?.keyDigest ?? null,
      encryptedSessionUrl: lock ? scope.cipher.seal(sessionUrl, purpose) : null,
    })
    if (!test) scope.metrics.verificationStarted()
    return { verificationId, sessionUrl, replayed: false }
  } catch (error) {
    // A reservation that cannot be released now is released by the background task for interrupted starts.
    await releaseStart(scope, verificationId).catch(err => {
      scope.log.warn({ verificationId, err }, 'Could not release the quota of a failed start; retrying later')
    })
    if (error instanceof ProviderUnavailable) throw providerError(error)
    throw error
  }
}

function providerError(cause: ProviderUnavailable): DomainError {
  const { retryAfterMs } = cause
  return new DomainError('INTERNAL_ERROR', {
    message: 'The identity provider could not be reached or refused. Nothing was stored; retry later.',
    details: {
      dependency: 'identity_provider',
      ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
    },
    cause,
  })
}
