import { forTenant, type OperatorScope } from '../scope.ts'
import { findVerification } from '../verification/find-verification.ts'
import {
  getVerificationTimeline,
  type TimelineEntry,
  type VerificationTimeline,
} from '../verification/get-verification-timeline.ts'
import { OpenVerification } from '../verification/open-verification.entity.ts'
import { Delivery, type DeliveryState } from '../webhook/delivery.entity.ts'

/** What is stored about a verification, for the operator: no personal data, and no token that could be used. */
export interface InspectedVerification extends Omit<VerificationTimeline, 'decision' | 'timeline'> {
  tenantId: string
  provider: string
  /** Names the session at the provider. */
  providerSessionId: string
  /** When the provider is polled next; null if no poll is scheduled. */
  pollAt: Date | null
  /** Oldest first, without the creation. */
  changes: TimelineEntry[]
  delivery: InspectedDelivery | null
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
  input: { verificationId: string },
): Promise<InspectedVerification> {
  const { tenantId, provider, providerSessionId } = await findVerification(scope, input.verificationId)
  const found = await getVerificationTimeline(forTenant(scope, tenantId), input)
  const { decision: _, timeline, verificationId, status, confidence, over18, ...times } = found
  const [, ...changes] = timeline
  const ids = { tenantId, providerSessionId }
  const open = await scope.em.findOne(OpenVerification, verificationId)
  const delivery = await findDelivery(scope, tenantId, found)
  const report = { verificationId, status, provider, confidence, over18, ...ids, ...times }
  return { ...report, pollAt: open?.pollAt ?? null, changes, delivery }
}

async function findDelivery(
  { em }: OperatorScope,
  tenantId: string,
  { verificationId, completedAt: createdAt }: VerificationTimeline,
): Promise<InspectedDelivery | null> {
  const found = createdAt && (await em.findOne(Delivery, { createdAt, tenantId, verificationId }))
  if (!found) return null
  const { state, attempts, confidence, attemptedAt = null, failure = null, dueAt } = found
  return { state, attempts, confidence: Number(confidence), attemptedAt, failure, dueAt }
}
