import {
  boolean,
  double,
  nullable,
  type Typed,
  text,
  textOf,
  timestamp,
  uuid,
} from '../database/sql-types.ts'
import type { VerificationStatus } from './verification.policy.ts'

/** What a tenant sees of its verification. */
export const statusRow = {
  verificationId: uuid,
  status: textOf<VerificationStatus>(),
  /** The identity provider. */
  provider: text,
  /** Between 0 and 1; null until completion. */
  confidence: nullable(double),
  /** Whether the person is 18 or over; null until completion, and where the age could not be confirmed. */
  over18: nullable(boolean),
  createdAt: timestamp,
  completedAt: nullable(timestamp),
  /** The signed age token, once approved. */
  token: nullable(text),
}

export type StatusReport = Typed<typeof statusRow>

/** The columns of `statusRow`, selected from `verification v left join token t`. */
export const statusColumns = `v.id as "verificationId", v.status, v.provider, v.confidence, v.over18, v.created_at as "createdAt",
     v.completed_at as "completedAt", t.jwt as token`

/** The report without the columns that are read beside it. */
export function statusReportOf(verification: StatusReport): StatusReport {
  const { verificationId, status, provider, confidence, over18, createdAt, completedAt, token } = verification
  return { verificationId, status, provider, confidence, over18, createdAt, completedAt, token }
}
