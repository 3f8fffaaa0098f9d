import { validate } from 'uuid'
import type { Scope } from '../scope.ts'
import { changeVerification } from './change-verification.ts'
import type { ProviderResult } from './provider-result.ts'

/** `unmatched`: no verification has both the session and the vendor data that the result names. */
export type Recorded = 'moved' | 'none' | 'contradicted' | 'unmatched'

/**
 * Records what the provider reports; it is committed when the call has returned. A result for an unknown
 * verification is logged and changes nothing. Throws `DATABASE_ERROR`.
 */
export async function recordProviderResult(scope: Scope, result: ProviderResult): Promise<Recorded> {
  const { vendorData, providerSessionId, outcome, code } = result
  const changed =
    vendorData !== null && validate(vendorData)
      ? await changeVerification(
          scope,
          vendorData.toLowerCase(),
          { by: 'provider', result },
          verification => verification.providerSessionId === providerSessionId,
        )
      : undefined
  if (!changed) {
    scope.log.warn({ outcome, code }, 'The provider reported on a session that no verification has')
    return 'unmatched'
  }
  if (changed.effect === 'contradicted') {
    const { id: verificationId, tenantId, status } = changed.verification
    scope.log.warn(
      { verificationId, tenantId, status, outcome },
      'A late result contradicts a completed verification',
    )
  }
  return changed.effect
}
