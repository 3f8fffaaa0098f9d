import { uuid } from '../database/sql-types.ts'
import { DomainError } from '../errors.ts'
import { isRetained } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { toAgeToken, tokenColumns, tokenRow } from '../signing-key/age-token.ts'
import { type StatusReport, statusColumns, statusRow, toStatusReport } from './status-report.ts'
import { verificationLookup } from './verification-lookup.ts'

/** One look-up. Throws `VERIFICATION_NOT_FOUND`, also for another tenant's verification. */
export async function getVerificationStatus(
  scope: TenantScope,
  verificationId: string,
): Promise<StatusReport> {
  const { tenantId } = scope.actor
  scope.request?.describe({ verificationId })
  const row = isRetained(scope, verificationId)
    ? await findVerificationStatus(scope.pool, { tenantId, verificationId })
    : undefined
  if (!row) throw new DomainError('VERIFICATION_NOT_FOUND')
  const token = toAgeToken({ ...row, tenantId })
  // A token of a key that is not stored does not validate either.
  const over18 = token === null ? null : row.over18
  return toStatusReport({ ...row, over18 }, token, row.revokedAt)
}

export const findVerificationStatus = verificationLookup({
  name: 'find-verification-status',
  text: `select ${statusColumns}, ${tokenColumns}
   from verification v
     left join (token_signer s join signing_key k on k.kid = s.kid) on s.id = v.token_signer
   where v.tenant_id = :tenantId and v.id = :verificationId`,
  values: { tenantId: uuid, verificationId: uuid },
  row: { ...statusRow, ...tokenRow },
})
