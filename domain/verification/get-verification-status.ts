import { sharedLookup } from '../database/shared-statements.ts'
import { int, type Typed, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
import { DomainError } from '../errors.ts'
import { isRetained } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { toAgeToken, tokenColumns, tokenRow } from '../signing-key/age-token.ts'
import { type StatusReport, statusColumns, statusRow, toStatusReport } from './status-report.ts'

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
  return toTenantReport(row, tenantId)
}

/** What the tenant sees of a row with these columns. */
export function toTenantReport(
  row: Typed<typeof statusRow & typeof tokenRow>,
  tenantId: string,
): StatusReport {
  const token = toAgeToken({ ...row, tenantId })
  // A token of a key that is not stored does not validate either.
  const over18 = token === null ? null : row.over18
  return toStatusReport({ ...row, over18 }, token, row.revokedAt)
}

const key = { tenantId: uuid, verificationId: uuid }

export const findVerificationStatuses = statement({
  name: 'find-verification-status',
  text: `select w.position::int, ${statusColumns}, ${tokenColumns}
   from ${valueRows(key)}
     join verification v on v.id = w.verification_id and v.tenant_id = w.tenant_id
     left join (token_signer s join signing_key k on k.kid = s.kid) on s.id = v.token_signer
   where v.id = any (:verificationId)`,
  values: arrayTypes(key),
  row: { position: int, ...statusRow, ...tokenRow },
})

const findVerificationStatus = sharedLookup(key, findVerificationStatuses)
