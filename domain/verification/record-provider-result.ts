import { validate } from 'uuid'
import type { ProviderResult } from '../provider-result.ts'
import type { Scope } from '../scope.ts'
import { changeVerification, idsOf, reportFields, type VerificationOutcome } from './change-verification.ts'

/** `unmatched`: no verification has both the session and the vendor data of the result. */
export type RecordedResult = 'moved' | 'none' | 'contradicted' | 'unmatched'

/**
 * Applies what the provider reports. It is committed when the call returns. Each result is logged in one line: the change
 * of the status, or why there is none. Throws `DATABASE_ERROR`.
 */
export async function recordProviderResult(scope: Scope, result: ProviderResult): Promise<RecordedResult> {
  const { vendorData, providerSessionId } = result
  const isOurs = vendorData !== null && validate(vendorData)
  const changed = isOurs
    ? await changeVerification(
        scope,
        { providerSessionId, verificationId: vendorData },
        { by: 'provider', result },
      )
    : undefined
  if (changed) {
    logWithoutChange(scope, changed, result)
    return changed.effect.kind
  }
  const fields = {
    ...(isOurs ? { verificationId: vendorData } : {}),
    providerSessionId,
    ...reportFields({ by: 'provider', result }),
    reason: isOurs ? 'unknown_session' : vendorData === null ? 'no_vendor_data' : 'foreign_vendor_data',
  }
  scope.log.warn(fields, 'The provider reported a result for an unknown session')
  return 'unmatched'
}

function logWithoutChange(
  scope: Scope,
  { verification, effect }: VerificationOutcome,
  result: ProviderResult,
): void {
  if (effect.kind === 'moved') return
  const { providerSessionId, status } = verification
  const fields = {
    ...idsOf(verification),
    providerSessionId,
    status,
    ...reportFields({ by: 'provider', result }),
  }
  if (effect.kind === 'none') {
    scope.log.info({ ...fields, reason: effect.reason }, 'A provider result changed nothing')
  } else {
    const { revokesToken } = effect
    scope.log.warn({ ...fields, revokesToken }, 'A late result contradicts a completed verification')
  }
}
