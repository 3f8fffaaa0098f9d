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
  /** What was decided about the age; null until completion, and where it could not be confirmed. */
  over18: nullable(boolean),
  completedAt: nullable(timestamp),
}

/** The columns of `statusRow`, selected from `verification v`. */
export const statusColumns = `v.id as "verificationId", v.status, v.provider, v.confidence, v.over18, v.completed_at as "completedAt"`

/**
 * The report, without the columns that are read beside it. A revocation leaves the status as it was, and nothing to admit
 * the person on.
 */
export function toStatusReport(
  { verificationId, status, provider, confidence, over18, completedAt }: Typed<typeof statusRow>,
  token: string | null = null,
  tokenRevokedAt: Date | null = null,
): StatusReport {
  return {
    verificationId,
    status,
    provider,
    confidence,
    over18: tokenRevokedAt ? null : over18,
    createdAt: timeOfId(verificationId),
    completedAt,
    token: tokenRevokedAt ? null : token,
    tokenRevokedAt,
  }
}
