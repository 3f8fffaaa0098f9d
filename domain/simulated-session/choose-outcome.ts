import { DomainError } from '../errors.ts'
import { type ApiKeyActorScope, scopeAt } from '../scope.ts'
import { getVerificationStatus } from '../verification/get-verification-status.ts'
import { loadVerification } from '../verification/load-verification.ts'
import { recordProviderResult } from '../verification/record-provider-result.ts'
import type { StatusReport } from '../verification/status-report.ts'
import type { TestChoice } from './test-outcome.ts'

/**
 * Lets the test provider decide a test tenant's verification, and records the result unless it is to be polled. Returns the status after that. An approved one can
 * still be denied, which is the provider's correction. Throws `FORBIDDEN` for the key of a live tenant,
 * `VERIFICATION_NOT_FOUND` and `VERIFICATION_ALREADY_COMPLETED`.
 */
export async function chooseOutcome(
  scope: ApiKeyActorScope,
  { verificationId, lostCallback, ...choice }: TestChoice & { verificationId: string },
): Promise<StatusReport> {
  const { tenantId, test } = scope.actor
  const { testProvider } = scope
  if (!test || !testProvider) throw new DomainError('FORBIDDEN', { message: test ? noTestTenants : liveKey })
  scope.request?.describe({ verificationId })
  const found = await loadVerification(scope, { tenantId, verificationId })
  if (!found) throw new DomainError('VERIFICATION_NOT_FOUND')
  const isCorrection = found.status === 'approved' && choice.outcome === 'denied'
  if (found.completedAt && !isCorrection) throw new DomainError('VERIFICATION_ALREADY_COMPLETED')
  const chosen = await testProvider.chooseOutcome(found.providerSessionId, choice)
  if (!chosen) throw new DomainError('VERIFICATION_NOT_FOUND')
  if (chosen.result && !lostCallback) {
    await recordProviderResult(scopeAt(scope, scope.clock()), chosen.result, { test: true })
  }
  return await getVerificationStatus(scope, verificationId)
}

const liveKey =
  'Only a test tenant can choose the outcome of a verification: use its key, which begins with avk_test_.'
const noTestTenants = 'This service has no test tenants any more: its operator can set TEST_TENANTS=true.'
