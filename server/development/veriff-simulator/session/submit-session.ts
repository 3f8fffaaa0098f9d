import type { Simulator } from '../simulator.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { type DeliveryPlan, planDeliveries } from '../webhook/delivery-plan.ts'
import { eventWebhook } from '../webhook/event-webhook.ts'
import { startAttempt } from './open-session.ts'
import { moveTo, type Session } from './session.ts'

/** The person hands everything in: event 7002. Only a session that is created or started can be submitted. */
export async function submitSession(
  simulator: Simulator,
  session: Session,
  plan?: DeliveryPlan,
): Promise<Delivery[]> {
  if (!canSubmit(session)) return []
  if (session.attempts.length === 0) startAttempt(simulator, session)
  moveTo(session, 'submitted')
  return simulator.outbox.post(session, planDeliveries(plan, eventWebhook(session, 'submitted')))
}

export function canSubmit(session: Session): boolean {
  return session.status === 'created' || session.status === 'started'
}
