import { timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import { isRetained } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { type StatusReport, statusColumns, statusRow, toStatusReport } from './status-report.ts'

/**
 * The tenant reports that its user came back from the hosted flow, finished or not. It changes no status: only the provider
 * knows what the user did, and is polled for its decision immediately, so that a lost callback does not delay the result.
 * One statement. Throws `VERIFICATION_NOT_FOUND` and `VERIFICATION_ALREADY_COMPLETED`.
 */
export async function submitVerification(scope: TenantScope, verificationId: string): Promise<StatusReport> {
  const { actor, now, pool } = scope
  scope.request?.describe({ verificationId })
  if (!isRetained(scope, verificationId)) throw new DomainError('VERIFICATION_NOT_FOUND')
  const [row] = await pollSoon(pool, { tenantId: actor.tenantId, verificationId, now })
  if (!row) throw new DomainError('VERIFICATION_NOT_FOUND')
  if (row.completedAt) throw new DomainError('VERIFICATION_ALREADY_COMPLETED')
  scope.wakeWorker('polling')
  return toStatusReport(row)
}

/** Finds the verification, and makes it due for polling if it is open. */
export const pollSoon = statement({
  name: 'poll-soon',
  text: `with due as (
     update open_verification set poll_at = :now, poll_attempts = 0
     where tenant_id = :tenantId and verification_id = :verificationId
   )
   select ${statusColumns} from verification v where v.tenant_id = :tenantId and v.id = :verificationId`,
  values: { tenantId: uuid, verificationId: uuid, now: timestamp },
  row: statusRow,
})
