import { uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { type StatusReport, statusColumns, statusRow } from './status-report.ts'

/** One prepared statement. Throws `VERIFICATION_NOT_FOUND`, also for another tenant's verification. */
export async function getVerificationStatus(
  scope: TenantScope,
  verificationId: string,
): Promise<StatusReport> {
  const [report] = await findVerificationStatus(scope.pool, {
    tenantId: scope.actor.tenantId,
    verificationId,
  })
  if (!report) throw new DomainError('VERIFICATION_NOT_FOUND')
  return report
}

export const findVerificationStatus = statement({
  name: 'find-verification-status',
  text: `select ${statusColumns}
   from verification v
   left join token t on t.tenant_id = v.tenant_id and t.verification_id = v.id
   where v.tenant_id = :tenantId and v.id = :verificationId`,
  values: { tenantId: uuid, verificationId: uuid },
  row: statusRow,
})
