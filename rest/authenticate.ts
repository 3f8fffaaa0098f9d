import type { Context } from 'koa'
import { invalidKeyError } from '#domain/api-key/admission.policy.ts'
import { hashKeyValue, isKeyValue } from '#domain/api-key/key-value.ts'
import { DomainError } from '#domain/errors.ts'
import type { TenantScope } from '#domain/scope.ts'
import type { RateWindow } from '#domain/usage/rate-window.ts'
import type { TenantEndpoint } from './endpoint.ts'
import type { RestServices } from './rest-services.ts'

export const keyHeader = 'x-tenant-api-key'

export interface Authenticated {
  scope: TenantScope
  /** In which the request was counted. */
  window: RateWindow
}

/**
 * Turns the API key of a request into an actor, and counts the request in the key's window. Throws the errors of
 * admission (`AdmissionError`), and with an invalid key `RATE_LIMIT_EXCEEDED` for the client's address.
 */
export async function authenticate(
  ctx: Context,
  services: RestServices,
  { scope, rateClass }: TenantEndpoint['access'],
): Promise<Authenticated> {
  const now = services.clock()
  const key = ctx.get(keyHeader)
  if (!isKeyValue(key)) throw invalidKey(ctx, services, now)
  const admission = await services.admission.admit({ keyHash: hashKeyValue(key), scope, rateClass, now })
  const { tenantId, apiKeyId } = admission
  if (tenantId !== undefined) services.describeRequest(ctx, { tenantId, apiKeyId })
  if (!admission.admitted) {
    throw admission.error === invalidKeyError
      ? invalidKey(ctx, services, now)
      : new DomainError(admission.error)
  }
  const { window } = admission
  const actor = { kind: 'api_key', tenantId: admission.tenantId, apiKeyId: admission.apiKeyId } as const
  services.recordKeyUse(actor, now)
  return { scope: services.scopeFor(actor, now, services.logOf(ctx)), window }
}

function invalidKey(ctx: Context, { failures, clientAddress }: RestServices, now: Date): DomainError {
  return failures.record(clientAddress(ctx), new DomainError(invalidKeyError), now)
}
