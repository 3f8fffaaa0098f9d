import type { DomainLog } from '../scope.ts'
import type { DeliveryKey } from './delivery.entity.ts'

/**
 * Why a delivery is not attempted again without having succeeded: its third attempt failed, or was lost with its worker;
 * 24 hours have passed; or the tenant has no webhook URL any more.
 */
export const givenUpReasons = ['attempts_failed', 'worker_lost', 'expired', 'no_url'] as const
export type GivenUpReason = (typeof givenUpReasons)[number]

/** One line per event that no attempt will be made for any more, and that may not have reached its receiver. */
export function logGivenUp(
  log: DomainLog,
  { tenantId, verificationId }: Omit<DeliveryKey, 'createdAt'>,
  reason: GivenUpReason,
): void {
  log.warn({ tenantId, verificationId, reason }, 'Webhook event given up')
}
