import type { DeliveryMode, DeliveryPlan } from '../webhook/delivery-plan.ts'

interface DeliveryInput {
  delivery?: DeliveryMode | undefined
  delayMs?: number | undefined
}

export function planOf(input: DeliveryInput): DeliveryPlan {
  return { mode: input.delivery ?? 'once', delayMs: input.delayMs }
}
