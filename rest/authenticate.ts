import type { Context } from 'koa'
import { admissionError } from '#domain/api-key/admission.policy.ts'
import { hashKeyValue, isKeyValue, isTestKey } from '#domain/api-key/key-value.ts'
import type { RateWindow } from '#domain/rate-window.ts'
import type { ApiKeyActorScope, RequestParts } from '#domain/scope.ts'
import type { FoundWithKey } from '#domain/verification/stored-verification.ts'
import type { AdmissionRequest, RestServices } from './ports.ts'
import { keyHeader, unusableKey } from './unusable-key.ts'

export { keyHeader }

export interface Authenticated {
  scope: ApiKeyActorScope
  /** In which the request was counted. */
  window: RateWindow
  /** The verification that the request names, if it was looked up with the key. */
  found: FoundWithKey | undefined
}

/**
 * Turns the API key of a request into an actor, and counts the request in the key's window. Throws the errors of
 * admission (`AdmissionError`): nothing else decides about a key, whatever else its client or its address has sent.
 */
export async function authenticate(
  ctx: Context,
  services: RestServices,
  request: Pick<AdmissionRequest, 'scope' | 'rateClass' | 'nameVerification'>,
  parts: RequestParts,
): Promise<Authenticated> {
  const now = services.clock()
  const key = ctx.get(keyHeader)
  if (!isKeyValue(key)) throw unusableKey(ctx.headers)
  const admission = await services.admission.admit({ ...request, keyHash: hashKeyValue(key), now })
  if (admission.key) services.describeRequest(ctx, admission.key)
  if (!admission.admitted) throw admissionError(admission.error, request.scope)
  const actor = { kind: 'api_key', ...admission.key, test: isTestKey(key) } as const
  services.recordKeyUse(actor, now)
  const { window, found } = admission
  return { scope: services.scopeFor(actor, now, parts), window, found }
}
