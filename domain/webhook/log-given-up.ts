import type { DomainLog } from '../scope.ts'
import type { DeliveryKey } from './delivery.entity.ts'

/**
 * `attempts_failed`: all attempts failed; `worker_lost`: its worker was killed, or lost its lease; `expired`: 24 hours
 * have passed; `no_url`: the tenant has no URL any more.
 */
export type GivenUpReason = 'attempts_failed' | 'worker_lost' | 'expired' | 'no_url'

/** One line per event that no attempt will be made for any more, and that may not have reached its receiver. */
export function logGivenUp(
  log: DomainLog,
  { tenantId, verificationId }: Omit<DeliveryKey, 'createdAt'>,
  reason: GivenUpReason,
): void {
  log.warn({ tenantId, verificationId, reason }, 'Webhook event given up')
}
