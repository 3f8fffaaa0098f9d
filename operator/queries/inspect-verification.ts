import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { findVerification } from '#domain/verification/find-verification.ts'
import {
  getVerificationTimeline,
  type TimelineEntry,
  type VerificationTimeline,
} from '#domain/verification/get-verification-timeline.ts'
import { OpenVerification } from '#domain/verification/open-verification.entity.ts'

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
  const report = { verificationId, status, provider, confidence, over18, ...ids, ...times }
  return { ...report, pollAt: open?.pollAt ?? null, changes }
}
