import { randomUUID } from 'node:crypto'
import type { StandIn } from '../stand-in.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { type DeliveryPlan, planDeliveries } from '../webhook/delivery-plan.ts'
import { eventWebhook } from '../webhook/event-webhook.ts'
import type { Session } from './session.ts'

/**
 * The person opens the hosted page: a new attempt and event 7001, the first time and after a resubmission was
 * asked for. Anything else (a reload, a session in review or ended) changes nothing and sends nothing.
 */
export async function openSession(
  standIn: StandIn,
  session: Session,
  plan?: DeliveryPlan,
): Promise<Delivery[]> {
  if (session.status !== 'created' && session.status !== 'resubmission_requested') return []
  startAttempt(standIn, session)
  return standIn.outbox.post(session, planDeliveries(plan, eventWebhook(session, 'started')))
}

/** A new attempt, without the event. */
export function startAttempt(standIn: StandIn, session: Session): void {
  session.attempts.push({ id: randomUUID(), createdAt: standIn.now().toISOString(), status: 'started' })
  session.status = 'started'
}
