import { boolean, double, enumOf, nullable, type Typed, timestamp, uuid } from '../database/sql-types.ts'
import { timeOfId } from '../ids.ts'
import { providerName, type VerificationStatus } from './verification.policy.ts'

/** What a tenant sees of its verification. */
export interface StatusReport extends Typed<typeof statusRow> {
  /** The identity provider. */
  provider: string
  createdAt: Date
  /** The signed age token, once approved. */
  token: string | null
}

/** The columns of a verification that its report is made of. */
export const statusRow = {
  verificationId: uuid,
  status: enumOf<VerificationStatus>('verification_status'),
  /** Between 0 and 1; null until completion. */
  confidence: nullable(double),
  /** Whether the person is 18 or over; null until completion, and where the age could not be confirmed. */
  over18: nullable(boolean),
  completedAt: nullable(timestamp),
}

/** The columns of `statusRow`, selected from `verification v`. */
export const statusColumns = `v.id as "verificationId", v.status, v.confidence, v.over18, v.completed_at as "completedAt"`

/** The report, without the columns that are read beside it. */
export function statusReportOf(row: Typed<typeof statusRow>, token: string | null): StatusReport {
  const { verificationId, status, confidence, over18, completedAt } = row
  const createdAt = timeOfId(verificationId)
  return { verificationId, status, provider: providerName, confidence, over18, createdAt, completedAt, token }
}
