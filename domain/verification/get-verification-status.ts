import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { toAgeToken } from '../signing-key/age-token.ts'
import { type StatusReport, toStatusReport } from './status-report.ts'
import { type FoundWithKey, findStoredVerification, type StoredVerification } from './stored-verification.ts'

/** As `findStoredVerification` finds it. Throws `VERIFICATION_NOT_FOUND`, also for another tenant's verification. */
export async function getVerificationStatus(
  scope: TenantScope,
  verificationId: string,
  found?: FoundWithKey,
): Promise<StatusReport> {
  scope.request?.describe({ verificationId })
  const stored = await findStoredVerification(scope, verificationId, found)
  if (!stored) throw new DomainError('VERIFICATION_NOT_FOUND')
  return toTenantReport(stored, scope.actor.tenantId)
}

/** What the tenant sees of it. */
export function toTenantReport(stored: StoredVerification, tenantId: string): StatusReport {
  const token = toAgeToken({ ...stored, tenantId })
  // A token of a key that is not stored does not validate either.
  const over18 = token === null ? null : stored.over18
  return toStatusReport({ ...stored, over18 }, token, stored.revokedAt)
}
