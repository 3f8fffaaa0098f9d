import { pageUrl } from '../api/present-session.ts'
import type { Session } from '../session/session.ts'
import type { Simulator } from '../simulator.ts'
import type { Delivery } from '../webhook/delivery.ts'

export function presentSession(simulator: Simulator, session: Session): Record<string, unknown> {
  const { token: _, ...rest } = session
  return {
    ...rest,
    url: pageUrl(simulator, session),
    deliveries: simulator.store.deliveriesOf(session).map(presentDelivery),
  }
}

/** `accepted` is whether the service answered 200; `status` what it answered last. */
export function presentDelivery(delivery: Delivery): Record<string, unknown> {
  const { body: _, ...rest } = delivery
  return { ...rest, accepted: delivery.state === 'accepted' }
}
