import { awaitChange, type Wait } from '../await-change.ts'
import type { ApiKeyActorScope } from '../scope.ts'
import { getVerificationStatus } from './get-verification-status.ts'
import type { StatusReport } from './status-report.ts'

/**
 * The status as soon as it differs from the one at the call, or when the time is over. A completed verification has no
 * change to wait for. Throws `VERIFICATION_NOT_FOUND`, also for another tenant's verification, and as `awaitChange` does.
 */
export async function awaitStatusChange(
  scope: ApiKeyActorScope,
  { verificationId, ...wait }: Wait & { verificationId: string },
): Promise<StatusReport> {
  return await awaitChange(scope, {
    ...wait,
    read: at => getVerificationStatus(at, verificationId),
    isAwaited: ({ status, completedAt }, first) =>
      completedAt !== null || (first !== undefined && status !== first.status),
  })
}
