import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { dateOf } from './load-verification.ts'
import type { VerificationStatus } from './verification.policy.ts'

/** What a tenant is told of its verification. */
export interface StatusReport {
  verificationId: string
  status: VerificationStatus
  confidence: number | null
  createdAt: Date
  completedAt: Date | null
  /** The signed age token, once approved. */
  token: string | null
}

interface Row {
  status: VerificationStatus
  confidence: number | null
  createdAtMs: number
  completedAtMs: number | null
  token: string | null
}

const findStatus = statement<Row>(
  'find-verification-status',
  `select v.status, v.confidence, (extract(epoch from v.created_at) * 1000)::float8 as "createdAtMs",
     (extract(epoch from v.completed_at) * 1000)::float8 as "completedAtMs", t.jwt as token
   from verification v left join token t on t.verification_id = v.id where v.id = $1 and v.tenant_id = $2`,
)

/** One prepared statement. Throws `VERIFICATION_NOT_FOUND`, also for another tenant's verification. */
export async function getVerificationStatus(
  scope: TenantScope,
  verificationId: string,
): Promise<StatusReport> {
  const [row] = await findStatus(scope.pool, [verificationId, scope.actor.tenantId])
  if (!row) throw new DomainError('VERIFICATION_NOT_FOUND')
  return {
    verificationId,
    status: row.status,
    confidence: row.confidence,
    createdAt: new Date(row.createdAtMs),
    completedAt: dateOf(row.completedAtMs),
    token: row.token,
  }
}
