import { timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { changeVerification } from './change-verification.ts'
import { type StatusReport, toStatusReport } from './status-report.ts'

/**
 * The tenant reports that its user has returned from the hosted flow. The provider is polled for its decision
 * immediately, so that a lost callback does not delay the result; in `resubmission` nothing else happens. Throws
 * `VERIFICATION_NOT_FOUND` and `VERIFICATION_ALREADY_COMPLETED`.
 */
export async function submitVerification(scope: TenantScope, verificationId: string): Promise<StatusReport> {
  const key = { tenantId: scope.actor.tenantId, verificationId }
  scope.log.describe?.({ verificationId })
  const changed = await changeVerification(scope, key, { by: 'tenant', outcome: 'returned' })
  if (!changed) throw new DomainError('VERIFICATION_NOT_FOUND')
  if (changed.verification.completedAt) throw new DomainError('VERIFICATION_ALREADY_COMPLETED')
  await pollSoon(scope.pool, { ...key, now: scope.now })
  scope.notifier.notify('polling')
  return toStatusReport(changed.verification)
}

export const pollSoon = statement({
  name: 'poll-soon',
  text: `update open_verification set poll_at = :now, poll_attempts = 0
   where tenant_id = :tenantId and verification_id = :verificationId`,
  values: { tenantId: uuid, verificationId: uuid, now: timestamp },
  row: {},
})
