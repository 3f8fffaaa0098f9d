import { randomUUID } from 'node:crypto'
import type { Simulator } from '../simulator.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { type DeliveryPlan, planDeliveries } from '../webhook/delivery-plan.ts'
import { eventWebhook } from '../webhook/event-webhook.ts'
import type { Session } from './session.ts'

/**
 * The person opens the hosted page: a new attempt and event 7001, the first time and after a resubmission was
 * asked for. Anything else (a reload, a session in review or ended) changes nothing and sends nothing.
 */
export async function openSession(
  simulator: Simulator,
  session: Session,
  plan?: DeliveryPlan,
): Promise<Delivery[]> {
  if (session.status !== 'created' && session.status !== 'resubmission_requested') return []
  startAttempt(simulator, session)
  return simulator.outbox.post(session, planDeliveries(plan, eventWebhook(session, 'started')))
}

/** A new attempt, without the event. */
export function startAttempt(simulator: Simulator, session: Session): void {
  session.attempts.push({ id: randomUUID(), createdAt: simulator.now().toISOString(), status: 'started' })
  session.status = 'started'
}
