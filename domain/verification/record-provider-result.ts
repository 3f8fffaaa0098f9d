import { validate } from 'uuid'
import { boolean, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { ProviderResult } from '../provider-result.ts'
import type { Scope } from '../scope.ts'
import {
  changeVerification,
  toLogFields,
  toReportFields,
  type VerificationOutcome,
} from './change-verification.ts'
import type { SessionKey } from './load-verification.ts'
import type { Effect, VerificationTrigger } from './verification.policy.ts'

/** `unmatched`: no verification of this kind has both the session and the vendor data of the result. */
export type RecordedResult = Effect['kind'] | 'unmatched'

/**
 * Applies what a provider reports; `test`: that of test verifications. No result reaches a verification of the other kind. It
 * is committed when the call returns. Each result is logged in one line: the change of the status, or why there is none. Throws
 * `DATABASE_ERROR`, and `INTERNAL_ERROR` while the verification is being started.
 */
export async function recordProviderResult(
  scope: Scope,
  result: ProviderResult,
  { test = false } = {},
): Promise<RecordedResult> {
  const { vendorData, providerSessionId, hasWrongTime } = result
  if (hasWrongTime) scope.metrics.decisionTimeWrong()
  const trigger = { by: 'provider', result } as const
  const isOurs = vendorData !== null && validate(vendorData)
  const changed = isOurs
    ? await change(scope, { verificationId: vendorData, providerSessionId, test }, trigger)
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

/** A start is stored after the provider has responded to it, which may report on the session before. */
async function change(scope: Scope, key: SessionKey, trigger: VerificationTrigger & { by: 'provider' }) {
  const changed = await changeVerification(scope, key, trigger)
  if (changed) return changed
  const [start] = await findStart(scope.pool, key)
  if (start?.isReserved) {
    const message = 'The start of this verification is not stored yet. Send the result again.'
    throw new DomainError('INTERNAL_ERROR', {
      message,
      cause: 'a result arrived before its start was stored',
    })
  }
  // It may have been stored since it was looked for.
  return await changeVerification(scope, key, trigger)
}

export const findStart = statement({
  name: 'find-start',
  text: 'select exists (select from start_reservation where id = :verificationId) as "isReserved"',
  values: { verificationId: uuid },
  row: { isReserved: boolean },
})

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
