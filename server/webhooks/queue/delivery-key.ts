import type { ClaimedDelivery } from '#domain/webhook/claim-deliveries.ts'
import type { DeliveryKey } from '#domain/webhook/delivery.entity.ts'

/** What identifies a delivery: in the table when its outcome is stored, and in the log. */
export function keyOf({ tenantId, verificationId, type }: ClaimedDelivery): DeliveryKey {
  return { tenantId, verificationId, type }
}
