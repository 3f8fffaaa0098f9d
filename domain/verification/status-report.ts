import { boolean, double, enumOf, nullable, type Typed, timestamp, uuid } from '../database/sql-types.ts'
import { timeOfId } from '../ids.ts'
import type { ProviderName } from '../provider-result.ts'
import type { VerificationStatus } from '../verification-status.ts'

/** What a tenant sees of its verification. */
export interface StatusReport extends Typed<typeof statusRow> {
  /** Whether the person is 18 or over; null until completion, where it is not confirmed, and once the token is revoked. */
  over18: boolean | null
  createdAt: Date
  /** The signed age token, once approved and until it is revoked. */
  token: string | null
  /** When it was revoked, or its signing key was reported as compromised. */
  tokenRevokedAt: Date | null
}

/** The columns of a verification that its report is made of. */
export const statusRow = {
  verificationId: uuid,
  status: enumOf<VerificationStatus>('verification_status'),
  provider: enumOf<ProviderName>('identity_provider'),
  /** Between 0 and 1; null until completion. */
  confidence: nullable(double),
  completedAt: nullable(timestamp),
  /** Whether the person was 18 or over on the day of the decision; null if unknown, and where it was not approved. */
  over18: nullable(boolean),
}

/** The columns of `statusRow`, selected from `verification v`. */
export const statusColumns =
  'v.id as "verificationId", v.status, v.provider, v.confidence, v.completed_at as "completedAt", v.over18'

/**
 * The report, without the columns that are read beside it. A revocation leaves the status as it was, and nothing to admit
 * the person on.
 */
export function toStatusReport(
  row: Typed<typeof statusRow>,
  token: string | null = null,
  tokenRevokedAt: Date | null = null,
): StatusReport {
  const { verificationId, status, provider, confidence, completedAt } = row
  return {
    verificationId,
    status,
    provider,
    confidence,
    over18: tokenRevokedAt ? null : row.over18,
    createdAt: timeOfId(verificationId),
    completedAt,
    token: tokenRevokedAt ? null : token,
    tokenRevokedAt,
  }
}
