import type { Signing, Webhook } from './delivery.ts'

export const deliveryModes = [
  'once',
  'duplicate',
  'late',
  'reordered',
  'wrong-signature',
  'wrong-client',
  'unsigned',
  'missing',
] as const

export type DeliveryMode = (typeof deliveryModes)[number]

export interface DeliveryPlan {
  mode: DeliveryMode
  /** For `late`: milliseconds; without it the webhook is held until it is released. */
  delayMs?: number | undefined
}

/** A webhook to be sent: at once, after a delay, or when released. */
export interface PlannedDelivery extends Webhook {
  signing: Signing
  delayMs: number | 'held'
}

/**
 * `reordered` sends earlier webhooks after this one, whether or not they were sent before. `missing` sends nothing;
 * the provider can still be asked.
 */
export function planDeliveries(
  plan: DeliveryPlan | undefined,
  webhook: Webhook,
  earlier: Webhook[] = [],
): PlannedDelivery[] {
  const mode = plan?.mode ?? 'once'
  switch (mode) {
    case 'once':
      return [now(webhook)]
    case 'duplicate':
      return [now(webhook), now(webhook)]
    case 'late':
      return [{ ...webhook, signing: 'valid', delayMs: plan?.delayMs ?? 'held' }]
    case 'reordered':
      return [now(webhook), ...earlier.map(one => now(one))]
    case 'missing':
      return []
    default:
      return [now(webhook, mode)]
  }
}

function now(webhook: Webhook, signing: Signing = 'valid'): PlannedDelivery {
  return { ...webhook, signing, delayMs: 0 }
}
