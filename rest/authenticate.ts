import type { Context } from 'koa'
import { admissionError } from '#domain/api-key/key-access.ts'
import { hashKeyValue, isKeyValue } from '#domain/api-key/key-value.ts'
import { DomainError } from '#domain/errors.ts'
import type { RateWindow } from '#domain/ports.ts'
import type { Scope, TenantScope } from '#domain/scope.ts'
import { secondsUntil } from '#domain/usage/seconds-until.ts'
import type { TenantEndpoint } from './endpoint.ts'
import type { RestServices } from './rest-services.ts'

export const keyHeader = 'x-tenant-api-key'

/**
 * Turns the key of a request into an actor, and counts the request in the key's window. From then on the
 * answer carries the window's headers.
 * Throws the refusals of the key, the tenant and the subscription, and `RATE_LIMIT_EXCEEDED`.
 */
export async function authenticate(
  ctx: Context,
  services: RestServices,
  { scope: needed, rateClass }: TenantEndpoint['access'],
): Promise<TenantScope> {
  const key = ctx.get(keyHeader)
  if (!isKeyValue(key)) throw new DomainError('UNAUTHENTICATED_TENANT')
  const asking: Scope = services.scopeFor({ kind: 'service' })
  const { now } = asking
  const admission = await asking.keyAdmission.admit({
    keyHash: hashKeyValue(key),
    scope: needed,
    rateClass,
    now,
  })
  const { access, window } = admission
  if (access) services.describeRequest(ctx, { tenantId: access.tenantId })
  const refusal = admissionError(access, needed, now)
  if (refusal) throw refusal
  if (!access || !window) throw new DomainError('INTERNAL_ERROR', { cause: 'admitted without a window' })
  services.noteKeyUse(access, now)
  tellWindow(ctx, window, now)
  const { tenantId, apiKeyId } = access
  return services.scopeFor({ kind: 'tenant', tenantId, apiKeyId })
}

function tellWindow(ctx: Context, window: RateWindow, now: Date): void {
  ctx.set({
    'X-RateLimit-Limit': String(window.limit),
    'X-RateLimit-Remaining': String(window.remaining),
    'X-RateLimit-Reset': String(Math.ceil(window.resetsAt.getTime() / 1000)),
  })
  if (!window.exceeded) return
  throw new DomainError('RATE_LIMIT_EXCEEDED', {
    details: { retryAfterSeconds: secondsUntil(window.resetsAt, now) },
  })
}
