import { currentAttempt, type Session } from '../session/session.ts'
import type { Webhook } from './delivery.ts'

const eventCodes = { started: 7001, submitted: 7002 }

/** The event webhook of the running attempt; events carry no time. */
export function eventWebhook(session: Session, action: keyof typeof eventCodes): Webhook {
  const body = JSON.stringify({
    id: session.id,
    attemptId: currentAttempt(session)?.id,
    feature: 'selfid',
    code: eventCodes[action],
    action,
    vendorData: session.vendorData,
    endUserId: session.endUserId,
  })
  return { title: `Event ${eventCodes[action]} ${action}`, body }
}
