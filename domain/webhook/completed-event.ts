import type { StatusReport } from '../verification/status-report.ts'
import type { EventType } from './delivery.entity.ts'

export const completedEventType = 'verification.completed' satisfies EventType

export interface CompletedVerification
  extends Pick<StatusReport, 'verificationId' | 'status' | 'confidence' | 'provider'> {
  tenantId: string
}

/** The body of the webhook event: exactly the text that is signed and sent. */
export function completedEvent(completed: CompletedVerification, at: Date): string {
  const { tenantId, verificationId, status, confidence, provider } = completed
  return JSON.stringify({
    event: completedEventType,
    tenantId,
    data: { verificationId, status, confidence: confidence ?? 0, provider },
    timestamp: at.toISOString(),
  })
}
