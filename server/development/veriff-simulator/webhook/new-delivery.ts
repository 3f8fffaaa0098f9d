import { randomUUID } from 'node:crypto'
import type { Session } from '../session/session.ts'
import type { Delivery } from './delivery.ts'
import type { PlannedDelivery } from './delivery-plan.ts'

export function newDelivery(session: Session, plan: PlannedDelivery, now: Date): Delivery {
  const { delayMs, ...webhook } = plan
  return {
    id: randomUUID(),
    sessionId: session.id,
    ...webhook,
    createdAt: now.toISOString(),
    tries: 0,
    state: delayMs === 'held' ? 'held' : 'waiting',
    status: null,
    error: null,
    nextTryAt: delayMs === 'held' ? null : new Date(now.getTime() + delayMs).toISOString(),
  }
}
