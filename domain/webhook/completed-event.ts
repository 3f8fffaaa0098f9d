import { providerName, type VerificationStatus } from '../verification/verification.policy.ts'

/** The only event type of version 1. */
export const completedEventType = 'verification.completed'

export interface CompletedVerification {
  tenantId: string
  verificationId: string
  status: VerificationStatus
  confidence: number | null
}

/** The body of the event: exactly the text that is signed and sent. */
export function completedEvent(completed: CompletedVerification, at: Date): string {
  const { tenantId, verificationId, status, confidence } = completed
  return JSON.stringify({
    event: completedEventType,
    tenantId,
    data: { verificationId, status, confidence: confidence ?? 0, provider: providerName },
    timestamp: at.toISOString(),
  })
}
