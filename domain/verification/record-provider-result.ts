import { validate } from 'uuid'
import type { ProviderResult } from '../provider-result.ts'
import type { Scope } from '../scope.ts'
import {
  changeVerification,
  toLogFields,
  toReportFields,
  type VerificationOutcome,
} from './change-verification.ts'
import type { Effect, VerificationTrigger } from './verification.policy.ts'

/** `unmatched`: no verification has both the session and the vendor data of the result. */
export type RecordedResult = Effect['kind'] | 'unmatched'

/**
 * Applies what the provider reports. It is committed when the call returns. Each result is logged in one line: the change
 * of the status, or why there is none. Throws `DATABASE_ERROR`.
 */
export async function recordProviderResult(scope: Scope, result: ProviderResult): Promise<RecordedResult> {
  const { vendorData, providerSessionId } = result
  const trigger = { by: 'provider', result } as const
  const isOurs = vendorData !== null && validate(vendorData)
  const changed = isOurs
    ? await changeVerification(scope, { providerSessionId, verificationId: vendorData }, trigger)
    : undefined
  if (changed) {
    logWithoutChange(scope, changed, trigger)
    return changed.effect.kind
  }
  const fields = {
    ...(isOurs ? { verificationId: vendorData } : {}),
    providerSessionId,
    ...toReportFields(trigger),
    reason: isOurs ? 'unknown_session' : vendorData === null ? 'no_vendor_data' : 'foreign_vendor_data',
  }
  scope.log.warn(fields, 'The provider reported a result for an unknown session')
  return 'unmatched'
}

function logWithoutChange(
  scope: Scope,
  { verification, effect }: VerificationOutcome,
  trigger: VerificationTrigger,
): void {
  const fields = { ...toLogFields(verification, trigger), status: verification.status }
  if (effect.kind === 'unchanged') {
    scope.log.info({ ...fields, reason: effect.reason }, 'A provider result changed nothing')
  } else if (effect.kind === 'contradicted') {
    const { revokesToken } = effect
    scope.log.warn({ ...fields, revokesToken }, 'A late result contradicts a completed verification')
  }
}
