import { validate } from 'uuid'
import { boolean, double, int, nullable, text, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import { hasRight } from '../permissions.ts'
import { isRetained } from '../retention.policy.ts'
import type { TenantActor, TenantScope } from '../scope.ts'
import {
  type AgeClaims,
  readClaims,
  type TokenSource,
  toAgeToken,
  tokenColumns,
  tokenRow,
} from '../signing-key/age-token.ts'
import type { VerificationStatus } from '../verification-status.ts'
import type { DeliveryState } from '../webhook/delivery.entity.ts'
import {
  adviseOn,
  type ChangeDescription,
  describeChange,
  findDecision,
  summarizeReason,
} from './decision.ts'
import type { ListedVerification } from './list-verifications.ts'
import { statusColumns, statusRow, toStatusReport } from './status-report.ts'
import { type ChangeSource, timeline, timelineColumn, type VerificationChange } from './timeline.ts'

export interface TimelineEntry extends ChangeDescription {
  at: Date
  status: VerificationStatus
  source: ChangeSource
  /** False for a late result that contradicts the reported one: recorded, without effect. */
  applied: boolean
}

export interface IssuedToken {
  jti: string
  /** The bearer token; null for anyone but members with the right `tokens`. */
  jwt: string | null
  kid: string
  /** The signed claims. */
  claims: AgeClaims
  over18: boolean
  issuedAt: Date
  expiresAt: Date
  /** When it was revoked, or its signing key was reported as compromised. */
  revokedAt: Date | null
}

/** The delivery of the event. Stored for 24 hours, if the tenant had a webhook URL when the verification was completed. */
export interface EventDelivery {
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

export interface VerificationTimeline extends ListedVerification {
  /** The change that completed it; null while it is open. */
  decision: ChangeDescription | null
  /** What to tell the user; null unless it was denied. */
  advice: string | null
  /** When it is completed without a decision; null once it is completed. */
  closesAt: Date | null
  /** Oldest first, beginning with `pending` at creation. */
  timeline: TimelineEntry[]
  token: IssuedToken | null
  /** Whether a webhook URL was set at the completion; null before, and where it was not stored. */
  hasWebhook: boolean | null
  delivery: EventDelivery | null
}

/** Throws `VERIFICATION_NOT_FOUND` for an unknown verification or one of another tenant. */
export async function getVerificationTimeline(
  scope: TenantScope,
  { verificationId }: { verificationId: string },
): Promise<VerificationTimeline> {
  const { tenantId } = scope.actor
  const [row] =
    validate(verificationId) && isRetained(scope, verificationId)
      ? await findTimeline(scope.pool, { tenantId, verificationId })
      : []
  if (!row) throw new DomainError('VERIFICATION_NOT_FOUND')
  const report = toStatusReport(row, null, row.revokedAt)
  const { provider: _, token: __, ...listed } = report
  const issued = presentToken(scope.actor, { ...row, tenantId })
  const decision = report.completedAt && findDecision(row.timeline)
  return {
    ...listed,
    reason: summarizeReason(report, row.timeline),
    closesAt: row.closesAt,
    decision,
    advice: report.status === 'denied' ? adviseOn(decision?.reasonCode ?? null) : null,
    timeline: [toCreation(report.createdAt), ...row.timeline.map(toEntry)],
    token: issued,
    hasWebhook: row.hasWebhook,
    delivery: toDelivery(row),
  }
}

function toCreation(at: Date): TimelineEntry {
  const report = { code: null, reasonCode: null, attempt: null, description: 'The session was created' }
  return { at, status: 'pending', source: 'service', applied: true, ...report }
}

function toEntry(change: VerificationChange): TimelineEntry {
  const { at, status, source, applied } = change
  return { at: new Date(at), status, source, applied, ...describeChange(change) }
}

function toDelivery(row: TimelineRow): EventDelivery | null {
  const { deliveryState: state, attempts, eventConfidence: confidence, attemptedAt, failure, dueAt } = row
  if (state === null) return null
  return { state, attempts: attempts!, confidence: confidence!, attemptedAt, failure, dueAt: dueAt! }
}

function presentToken(
  actor: TenantActor,
  source: TokenSource & Pick<TimelineRow, 'revokedAt'>,
): IssuedToken | null {
  const claims = readClaims(source)
  const { kid, revokedAt } = source
  if (!claims || kid === null) return null
  const { jti, over18, iat, exp } = claims
  const [issuedAt, expiresAt] = [new Date(iat * 1000), new Date(exp * 1000)]
  // Whoever has the token can use it, so reading a verification is not enough to get it.
  const canUse = actor.kind === 'member' && hasRight(actor.role, 'tokens')
  const jwt = canUse ? toAgeToken(source) : null
  return { jti, jwt, kid, claims, over18, issuedAt, expiresAt, revokedAt }
}

export const findTimeline = statement({
  name: 'find-timeline',
  text: `select ${statusColumns}, ${tokenColumns}, ${timelineColumn} as timeline, o.closes_at as "closesAt",
     v.has_webhook as "hasWebhook", d.state as "deliveryState", d.attempts, d.confidence as "eventConfidence",
     d.attempted_at as "attemptedAt", d.failure, d.due_at as "dueAt"
   from verification v left join token_signer s on s.id = v.token_signer left join signing_key k on k.kid = s.kid
   left join open_verification o on o.verification_id = v.id and o.tenant_id = v.tenant_id
   left join lateral (
     select * from delivery d
     where d.created_at = v.completed_at and d.tenant_id = v.tenant_id and d.verification_id = v.id limit 1
   ) d on true
   where v.tenant_id = :tenantId and v.id = :verificationId`,
  values: { tenantId: uuid, verificationId: uuid },
  row: {
    ...statusRow,
    ...tokenRow,
    timeline,
    closesAt: nullable(timestamp),
    hasWebhook: nullable(boolean),
    deliveryState: nullable(textOf<DeliveryState>()),
    attempts: nullable(int),
    eventConfidence: nullable(double),
    attemptedAt: nullable(timestamp),
    failure: nullable(text),
    dueAt: nullable(timestamp),
  },
})

type TimelineRow = Awaited<ReturnType<typeof findTimeline>>[number]
