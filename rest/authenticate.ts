import type { Context } from 'koa'
import { admissionError } from '#domain/api-key/admission.policy.ts'
import { hashKeyValue, isKeyValue, isTestKey } from '#domain/api-key/key-value.ts'
import type { DomainError } from '#domain/errors.ts'
import type { RateWindow } from '#domain/rate-window.ts'
import type { ApiKeyActorScope } from '#domain/scope.ts'
import type { TenantEndpoint } from './endpoint.ts'
import type { RestServices } from './ports.ts'
import { keyHeader, unusableKey } from './unusable-key.ts'

export { keyHeader }

export interface Authenticated {
  scope: ApiKeyActorScope
  /** In which the request was counted. */
  window: RateWindow
}

/**
 * Turns the API key of a request into an actor, and counts the request in the key's window. Throws the errors of
 * admission (`AdmissionError`), and `RATE_LIMIT_EXCEEDED` for a client's address that has failed too often, unless the key is
 * known: that of a valid one is never limited, and a revoked or expired one is rejected for what it is.
 */
export async function authenticate(
  ctx: Context,
  services: RestServices,
  { scope, rateClass, countedAs }: TenantEndpoint['access'],
): Promise<Authenticated> {
  const now = services.clock()
  const key = ctx.get(keyHeader)
  if (!isKeyValue(key)) throw await failed(ctx, services, unusableKey(ctx.headers), now)
  const { failures, clientAddress } = services
  const admission = await services.admission.admit({
    keyHash: hashKeyValue(key),
    scope,
    rateClass,
    now,
    beforeLookUp: () => failures.assertBelowLimit(clientAddress(ctx), now),
  })
  const { tenantId, apiKeyId } = admission
  if (tenantId !== undefined) services.describeRequest(ctx, { tenantId, apiKeyId })
  if (!admission.admitted) {
    const error = admissionError(admission.error, scope)
    throw tenantId === undefined ? await failed(ctx, services, error, now) : error
  }
  const { window } = admission
  const actor = {
    kind: 'api_key',
    tenantId: admission.tenantId,
    apiKeyId: admission.apiKeyId,
    test: isTestKey(key),
  } as const
  services.recordKeyUse(actor, countedAs, now)
  return { scope: services.scopeFor(actor, now, services.logOf(ctx)), window }
}

/** Counts a failed authentication. */
function failed(ctx: Context, { failures, clientAddress }: RestServices, error: DomainError, now: Date) {
  return failures.record(clientAddress(ctx), error, now)
}
