import type { Context } from 'koa'
import { invalidKeyError } from '#domain/api-key/admission.policy.ts'
import { hashKeyValue, isKeyValue } from '#domain/api-key/key-value.ts'
import { DomainError } from '#domain/errors.ts'
import type { TenantScope } from '#domain/scope.ts'
import type { RateWindow } from '#domain/usage/rate-window.ts'
import { secondsUntil } from '#domain/usage/usage-period.ts'
import type { TenantEndpoint } from './endpoint.ts'
import type { RestServices } from './rest-services.ts'

export const keyHeader = 'x-tenant-api-key'

/**
 * Turns the API key of a request into an actor, and counts the request in the key's window. The response to every
 * counted request has the window's headers.
 * Throws the errors of admission (`AdmissionError`), and `RATE_LIMIT_EXCEEDED` for the key or, with an invalid key, for
 * the client's address.
 */
export async function authenticate(
  ctx: Context,
  services: RestServices,
  { scope, rateClass }: TenantEndpoint['access'],
): Promise<TenantScope> {
  const now = services.clock()
  const key = ctx.get(keyHeader)
  if (!isKeyValue(key)) throw invalidKey(ctx, services, now)
  const admission = await services.admission.admit({ keyHash: hashKeyValue(key), scope, rateClass, now })
  const { tenantId } = admission
  if (tenantId !== undefined) services.describeRequest(ctx, { tenantId })
  if (!admission.admitted) {
    throw admission.error === invalidKeyError
      ? invalidKey(ctx, services, now)
      : new DomainError(admission.error)
  }
  const { apiKeyId, window } = admission
  services.recordKeyUse({ tenantId: admission.tenantId, apiKeyId }, now)
  setWindowHeaders(ctx, window)
  if (window.exceeded) throw rateLimitExceeded(window, now)
  return services.scopeFor({ kind: 'api_key', tenantId: admission.tenantId, apiKeyId }, now)
}

function invalidKey(ctx: Context, { failures, clientAddress }: RestServices, now: Date): DomainError {
  return failures.record(clientAddress(ctx), new DomainError(invalidKeyError), now)
}

function setWindowHeaders(ctx: Context, { limit, remaining, resetsAt }: RateWindow): void {
  ctx.set({
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetsAt.getTime() / 1000)),
  })
}

function rateLimitExceeded({ resetsAt }: RateWindow, now: Date): DomainError {
  return new DomainError('RATE_LIMIT_EXCEEDED', {
    details: { retryAfterSeconds: secondsUntil(resetsAt, now) },
  })
}
