import { randomUUID } from 'node:crypto'
import type { Signing } from './signature.ts'
import type { Webhook } from './webhook-body.ts'

/** A webhook and its delivery state. Times are ISO 8601, UTC. The body is cleared when no attempt is left. */
export interface Delivery extends Webhook {
  id: string
  /** What isn't valid is attempted only once. */
  signing: Signing
  tries: number
  /** `waiting` for an attempt, `accepted` with a 200. */
  state: 'waiting' | 'accepted' | 'given-up'
  /** The HTTP status that the service responded with at the last attempt; null without a response. */
  status: number | null
  /** Why the last attempt got no response. */
  error: string | null
  /** The time of the next attempt; null if none is scheduled. */
  nextTryAt: string | null
}

/**
 * `late` waits for `delayMs`. `reordered` sends earlier webhooks after this one, whether or not they were sent before.
 * `missing` sends nothing: the decision can only be polled.
 */
export interface DeliveryPlan {
  delivery?: 'once' | 'duplicate' | 'late' | 'reordered' | 'wrong-signature' | 'missing'
  delayMs?: number
}

/** Plans the deliveries of a session's webhook: one, unless the plan asks for a fault. */
export function planDeliveries(
  { delivery: mode = 'once', delayMs = 0 }: DeliveryPlan,
  now: Date,
  webhook: Webhook,
  earlier: Webhook[] = [],
): Delivery[] {
  const pending = { tries: 0, state: 'waiting', status: null, error: null } as const
  const plan = (one: Webhook, signing: Signing = 'valid', dueMs = 0): Delivery => {
    const nextTryAt = new Date(now.getTime() + dueMs).toISOString()
    return { id: randomUUID(), ...one, ...pending, signing, nextTryAt }
  }
  switch (mode) {
    case 'once':
      return [plan(webhook)]
    case 'duplicate':
      return [plan(webhook), plan(webhook)]
    case 'late':
      return [plan(webhook, 'valid', delayMs)]
    case 'reordered':
      return [webhook, ...earlier].map(one => plan(one))
    case 'missing':
      return []
    default:
      return [plan(webhook, mode)]
  }
}
