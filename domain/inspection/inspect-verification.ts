import { validate } from 'uuid'
import { double, int, nullable, text, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import { isRetained } from '../retention.policy.ts'
import type { OperatorScope } from '../scope.ts'
import { claimsOf, tokenColumns, tokenRow } from '../signing-key/age-token.ts'
import { type StatusReport, statusColumns, statusReportOf, statusRow } from '../verification/status-report.ts'
import { timeline, timelineColumn, type VerificationChange } from '../verification/timeline.ts'
import type { DeliveryState } from '../webhook/delivery.entity.ts'

/** What is stored about a verification, for the operator: no personal data, and no token that could be used. */
export interface InspectedVerification extends Omit<StatusReport, 'token'> {
  tenantId: string
  /** Names the session at the provider. */
  providerSessionId: string
  /** When it is completed without a decision; null once it is completed. */
  closesAt: Date | null
  /** When the provider is polled next; null if no poll is scheduled. */
  pollAt: Date | null
  /** Oldest first, without the creation. */
  changes: VerificationChange[]
  token: InspectedToken | null
  delivery: InspectedDelivery | null
}

export interface InspectedToken {
  jti: string
  kid: string
  issuedAt: Date
  expiresAt: Date
  /** When it was revoked, or its signing key was reported as compromised. */
  revokedAt: Date | null
}

/** The delivery of the event. Stored for 24 hours, if the tenant had a webhook URL when the verification was completed. */
export interface InspectedDelivery {
  state: DeliveryState
  /** Attempts begun. */
  attempts: number
  /** What the event reports. */
  confidence: number
  /** When the last attempt ended. */
  attemptedAt: Date | null
  /** Why it failed; null if it was delivered. */
  failure: string | null
  /** When the next attempt is due; of no meaning once it is delivered or has failed. */
  dueAt: Date
}

/** Throws `VERIFICATION_NOT_FOUND` for an unknown verification. */
export async function inspectVerification(
  scope: OperatorScope,
  { verificationId }: { verificationId: string },
): Promise<InspectedVerification> {
  const [row] =
    validate(verificationId) && isRetained(scope, verificationId)
      ? await findInspected(scope.pool, { verificationId })
      : []
  if (!row) throw new DomainError('VERIFICATION_NOT_FOUND')
  const { token: _, ...report } = statusReportOf(row, null, row.revokedAt)
  const { tenantId, providerSessionId, closesAt, pollAt, changes } = row
  return {
    ...report,
    tenantId,
    providerSessionId,
    closesAt,
    pollAt,
    changes,
    token: tokenOf(row),
    delivery: deliveryOf(row),
  }
}

type InspectedRow = Awaited<ReturnType<typeof findInspected>>[number]

function tokenOf(row: InspectedRow): InspectedToken | null {
  const claims = claimsOf(row)
  if (!claims || row.kid === null) return null
  const { jti, iat, exp } = claims
  const [issuedAt, expiresAt] = [new Date(iat * 1000), new Date(exp * 1000)]
  return { jti, kid: row.kid, issuedAt, expiresAt, revokedAt: row.revokedAt }
}

function deliveryOf(row: InspectedRow): InspectedDelivery | null {
  const { state, attempts, reported, attemptedAt, failure, dueAt } = row
  if (state === null || attempts === null || reported === null || dueAt === null) return null
  return { state, attempts, confidence: reported, attemptedAt, failure, dueAt }
}

export const findInspected = statement({
  name: 'inspect-verification',
  text: `select ${statusColumns}, ${tokenColumns}, v.tenant_id as "tenantId",
     v.provider_session_id as "providerSessionId", ${timelineColumn} as changes,
     o.closes_at as "closesAt", o.poll_at as "pollAt",
     d.state, d.attempts::int, d.confidence as reported, d.attempted_at as "attemptedAt", d.failure, d.due_at as "dueAt"
   from verification v left join token_signer s on s.id = v.token_signer left join signing_key k on k.kid = s.kid
   left join open_verification o on o.verification_id = v.id
   left join delivery d on d.created_at = v.completed_at and d.tenant_id = v.tenant_id and d.verification_id = v.id
   where v.id = :verificationId`,
  values: { verificationId: uuid },
  row: {
    ...statusRow,
    ...tokenRow,
    tenantId: uuid,
    providerSessionId: text,
    changes: timeline,
    closesAt: nullable(timestamp),
    pollAt: nullable(timestamp),
    // From here on null for a verification without a delivery.
    state: nullable(textOf<DeliveryState>()),
    attempts: nullable(int),
    reported: nullable(double),
    attemptedAt: nullable(timestamp),
    failure: nullable(text),
    dueAt: nullable(timestamp),
  },
})
