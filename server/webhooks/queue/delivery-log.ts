import type { DomainLog } from '#domain/scope.ts'
import type { ClaimedDelivery } from '#domain/webhook/claim-deliveries.ts'
import type { AttemptResult } from '../http/webhook-sender.ts'

export interface WorkerLog extends DomainLog {
  error(fields: Record<string, unknown>, message: string): void
}

/** Identifies an attempt in the log. */
export function attemptFields(delivery: ClaimedDelivery): Record<string, unknown> {
  const { tenantId, verificationId, type, attempt } = delivery
  return { tenantId, verificationId, type, attempt }
}

/** One line per attempt, without URL, body and secret. */
export function logAttempt(log: WorkerLog, delivery: ClaimedDelivery, result: AttemptResult): void {
  const { status } = result
  const fields = {
    ...attemptFields(delivery),
    outcome: result.ok ? 'success' : 'failure',
    ...(status !== undefined && { status }),
    ...(!result.ok && { reason: result.reason }),
    ...(!result.ok && result.fault && { fault: result.fault }),
    durationMs: Math.round(result.durationMs),
  }
  if (result.ok) log.info(fields, 'Webhook delivered')
  else log.warn(fields, 'Webhook delivery attempt failed')
}
