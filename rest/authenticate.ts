import type { Context } from 'koa'
import { admissionError } from '#domain/api-key/admission.policy.ts'
import { hashKeyValue, isKeyValue, isTestKey } from '#domain/api-key/key-value.ts'
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
 * admission (`AdmissionError`): nothing else decides about a key, whatever else its client or its address has sent.
 */
export async function authenticate(
  ctx: Context,
  services: RestServices,
  { scope, rateClass }: TenantEndpoint['access'],
): Promise<Authenticated> {
  const now = services.clock()
  const key = ctx.get(keyHeader)
  if (!isKeyValue(key)) throw unusableKey(ctx.headers)
  const admission = await services.admission.admit({ keyHash: hashKeyValue(key), scope, rateClass, now })
  if (admission.key) services.describeRequest(ctx, admission.key)
  if (!admission.admitted) throw admissionError(admission.error, scope)
  const actor = { kind: 'api_key', ...admission.key, test: isTestKey(key) } as const
  services.recordKeyUse(actor, now)
  return { scope: services.scopeFor(actor, now, services.requestOf(ctx)), window: admission.window }
}
