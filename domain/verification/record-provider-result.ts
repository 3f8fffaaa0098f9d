import { validate } from 'uuid'
import type { Scope } from '../scope.ts'
import { changeVerification } from './change-verification.ts'
import type { ProviderResult } from './provider-result.ts'

/** `unmatched`: no verification has both the session and the vendor data of the result. */
export type RecordedResult = 'moved' | 'none' | 'contradicted' | 'unmatched'

/**
 * Applies what the provider reports. It is committed when the call returns. A result for an unknown verification is
 * logged and changes nothing. Throws `DATABASE_ERROR`.
 */
export async function recordProviderResult(scope: Scope, result: ProviderResult): Promise<RecordedResult> {
  const { vendorData, providerSessionId, outcome, code } = result
  const changed =
    vendorData !== null && validate(vendorData)
      ? await changeVerification(
          scope,
          { providerSessionId, verificationId: vendorData },
          { by: 'provider', result },
        )
      : undefined
  if (!changed) {
    scope.log.warn({ outcome, code }, 'The provider reported a result for an unknown session')
    return 'unmatched'
  }
  if (changed.effect === 'contradicted') {
    const { verificationId, tenantId, status } = changed.verification
    scope.log.warn(
      { verificationId, tenantId, status, outcome },
      'A late result contradicts a completed verification',
    )
  }
  return changed.effect
}
