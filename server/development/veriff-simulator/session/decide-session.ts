import type { Simulator } from '../simulator.ts'
import { decisionWebhook } from '../webhook/decision-webhook.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { type DeliveryPlan, planDeliveries } from '../webhook/delivery-plan.ts'
import { eventWebhook } from '../webhook/event-webhook.ts'
import { fullAutoWebhook } from '../webhook/full-auto-webhook.ts'
import { startAttempt } from './open-session.ts'
import { decisionCodes, type Outcome, outcomeFacts } from './outcome.ts'
import { currentAttempt, type Decision, moveTo, type Session } from './session.ts'

export interface DecideRequest {
  outcome: Outcome
  /** 'YYYY-MM-DD' or anything that a script wants to have sent; null sends none. */
  dateOfBirth?: string | null | undefined
  estimatedAge?: number | undefined
  decisionScore?: number | undefined
  reasonCode?: number | string | null | undefined
  /** ISO 8601; the present by default. */
  decisionTime?: string | undefined
  attemptId?: string | undefined
  shape?: 'decision' | 'full-auto' | undefined
  delivery?: DeliveryPlan | undefined
}

/** The provider asks at most nine times; the tenth attempt is declined with reason 539. */
const resubmissionsMax = 9

/**
 * Decides, whatever the session's state: events are optional, and the provider may correct itself. The webhook
 * is on file before it is sent. Returns the deliveries after the first try of each that is due.
 */
export async function decideSession(
  simulator: Simulator,
  session: Session,
  request: DecideRequest,
): Promise<Delivery[]> {
  if (needsAttempt(session, request.outcome)) startAttempt(simulator, session)
  const decision = makeDecision(simulator, session, request)
  session.decision = decision
  moveTo(session, decision.status)
  const shape = request.shape ?? (request.decisionScore === undefined ? 'decision' : 'full-auto')
  const webhook =
    shape === 'full-auto' ? fullAutoWebhook(session, decision) : decisionWebhook(session, decision)
  const earlier =
    session.attempts.length === 0
      ? []
      : [eventWebhook(session, 'submitted'), eventWebhook(session, 'started')]
  return simulator.outbox.post(session, planDeliveries(request.delivery, webhook, earlier))
}

/** A session that ends without having been opened has no attempt; every other decision is about one. */
function needsAttempt(session: Session, outcome: Outcome): boolean {
  if (outcome === 'expire' || outcome === 'abandon') return false
  return session.attempts.length === 0 || session.status === 'resubmission_requested'
}

function makeDecision(simulator: Simulator, session: Session, request: DecideRequest): Decision {
  const now = simulator.now()
  const facts = outcomeFacts[request.outcome]
  const attemptsUsedUp = request.outcome === 'resubmission' && session.attempts.length > resubmissionsMax
  const status = attemptsUsedUp ? 'declined' : facts.status
  const birth = facts.ageYears === null ? null : yearsBefore(now, facts.ageYears)
  return {
    attemptId: request.attemptId ?? currentAttempt(session)?.id ?? null,
    status,
    code: decisionCodes[status],
    reason: attemptsUsedUp ? 'Resubmission limit exceeded' : facts.reason,
    reasonCode: attemptsUsedUp ? 539 : (request.reasonCode ?? facts.reasonCode),
    decisionTime: request.decisionTime ?? now.toISOString(),
    dateOfBirth: request.dateOfBirth === undefined ? birth : request.dateOfBirth,
    estimatedAge: request.estimatedAge ?? null,
    decisionScore: request.decisionScore ?? null,
  }
}

/** 'YYYY-MM-DD', half a year and more away from any birthday that a test might be about. */
function yearsBefore(now: Date, years: number): string {
  const birth = new Date(now)
  birth.setUTCDate(1)
  birth.setUTCMonth(birth.getUTCMonth() - 6)
  birth.setUTCFullYear(birth.getUTCFullYear() - years)
  return birth.toISOString().slice(0, 10)
}
