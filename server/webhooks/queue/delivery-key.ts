import type { ClaimedDelivery } from '#domain/webhook/claim-deliveries.ts'

/** What identifies a delivery: in the table when its outcome is stored, and in the log. */
export function keyOf({ id, tenantId, verificationId }: ClaimedDelivery) {
  return { id, tenantId, verificationId }
}
