import { decideAdmission, invalidKeyError } from '#domain/api-key/admission.policy.ts'
import { findKeyAccess } from '#domain/api-key/find-key-access.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import type { KnownClients } from '#domain/fairness/known-clients.ts'
import type { RequestCounter } from '#domain/ports.ts'
import { rateWindow } from '#domain/rate-window.ts'
import type { Admission, AdmissionRequest, KeyAdmission } from '#rest/ports.ts'
import { RejectedKeys } from './rejected-keys.ts'

/**
 * Looks up each key in PostgreSQL: nothing is cached, so a change by any process holds everywhere once it is committed. The
 * requests of a key that was found before are counted meanwhile, and the verification that they name is found with it; those of
 * another one are counted only when it is admitted: made-up keys leave no counters.
 */
export function createKeyAdmission(
  pool: StatementPool,
  counter: RequestCounter,
  knownKeys: KnownClients,
): KeyAdmission {
  const rejectedKeys = new RejectedKeys()
  async function decide(request: AdmissionRequest): Promise<Admission> {
    const { keyHash, scope, rateClass, now } = request
    const isKnown = knownKeys.tenantOf(keyHash) !== undefined
    const count = () => counter.count(`${keyHash}:${rateClass}`, now)
    const counting = isKnown ? count() : undefined
    // It matters only to a request that is admitted.
    counting?.catch(() => undefined)
    const verificationId = isKnown ? await request.nameVerification?.() : undefined
    const { access, found } = (await findKeyAccess(pool, keyHash, verificationId)) ?? {}
    if (!access) return { admitted: false, key: undefined, error: invalidKeyError }
    const { tenantId, apiKeyId } = access
    const key = { tenantId, apiKeyId }
    const error = decideAdmission(access, scope, now)
    if (error) return { admitted: false, key, error }
    const limit = rateClass === 'write' ? access.writeLimit : access.readLimit
    return { admitted: true, key, window: rateWindow(await (counting ?? count()), limit, now), found }
  }
  return {
    async admit(request) {
      const rejection = rejectedKeys.get(request)
      if (rejection) return rejection
      const admission = await decide(request)
      if (rejectedKeys.add(request, admission)) knownKeys.remove(request.keyHash)
      else if (admission.key && !knownKeys.has(request.keyHash)) {
        knownKeys.add(request.keyHash, admission.key.tenantId)
      }
      return admission
    },
  }
}
