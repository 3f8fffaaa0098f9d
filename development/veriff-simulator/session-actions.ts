import { randomBytes, randomUUID } from 'node:crypto'
import {
  canSubmit,
  currentAttempt,
  type Decision,
  decisionCodes,
  isFinal,
  type Outcome,
  outcomeData,
  type Session,
  setStatus,
} from './session.ts'
import type { Simulator } from './simulator.ts'
import { type Delivery, type DeliveryPlan, planDeliveries } from './webhook/delivery.ts'
import { decisionWebhook, eventWebhook, fullAutoWebhook } from './webhook/webhook-body.ts'

export type SessionRequest = Pick<Session, 'vendorData' | 'endUserId' | 'callback'>

/** The provider has no idempotency: each call creates another session. */
export function createSession(simulator: Simulator, request: SessionRequest): Session {
  const session: Session = {
    id: randomUUID(),
    token: randomBytes(32).toString('base64url'),
    ...request,
    createdAt: simulator.now().toISOString(),
    status: 'created',
    attempts: [],
    decision: null,
  }
  simulator.store.save(session)
  return session
}

/**
 * The person opens the hosted page: a new attempt and event 7001, on the first call and after a resubmission was
 * requested. Otherwise (a reload, a session in review, a final one) nothing is changed or sent.
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

/** The person submits: event 7002. Nothing is changed or sent unless the session is created or started. */
export async function submitSession(
  simulator: Simulator,
  session: Session,
  plan?: DeliveryPlan,
): Promise<Delivery[]> {
  if (!canSubmit(session)) return []
  if (session.attempts.length === 0) startAttempt(simulator, session)
  setStatus(session, 'submitted')
  return simulator.outbox.post(session, planDeliveries(plan, eventWebhook(session, 'submitted')))
}

export interface DecideRequest {
  outcome: Outcome
  /** 'YYYY-MM-DD', or any text that a script wants to be sent; null sends none. Derived from the outcome by default. */
  dateOfBirth?: string | null | undefined
  estimatedAge?: number | undefined
  /** 0 to 1; implies the shape `full-auto`. */
  decisionScore?: number | undefined
  reasonCode?: number | string | null | undefined
  /** ISO 8601; now by default. */
  decisionTime?: string | undefined
  attemptId?: string | undefined
  shape?: 'decision' | 'full-auto' | undefined
}

/**
 * Decides in any state of the session: events are optional, and the provider may correct a decision. Returns the
 * deliveries after the first attempt of each that is due.
 */
export async function decideSession(
  simulator: Simulator,
  session: Session,
  request: DecideRequest,
  plan?: DeliveryPlan,
): Promise<Delivery[]> {
  if (requiresAttempt(session, request.outcome)) startAttempt(simulator, session)
  const decision = createDecision(simulator, session, request)
  session.decision = decision
  setStatus(session, decision.status)
  const shape = request.shape ?? (request.decisionScore === undefined ? 'decision' : 'full-auto')
  const webhook =
    shape === 'full-auto' ? fullAutoWebhook(session, decision) : decisionWebhook(session, decision)
  const earlier =
    session.attempts.length === 0
      ? []
      : [eventWebhook(session, 'submitted'), eventWebhook(session, 'started')]
  return simulator.outbox.post(session, planDeliveries(plan, webhook, earlier))
}

/** Deletes a session with all that belongs to it; one without a final decision is ended first, as after 7 days. */
export async function deleteSession(simulator: Simulator, session: Session): Promise<void> {
  if (!isFinal(session)) await endSession(simulator, session)
  simulator.outbox.cancel(session)
  simulator.store.delete(session)
}

const sessionLifetimeMs = 7 * 86_400_000

/** Ends sessions without a final decision 7 days after their creation: expired if never opened, else abandoned. */
export async function endOldSessions(simulator: Simulator): Promise<void> {
  const oldest = new Date(simulator.now().getTime() - sessionLifetimeMs).toISOString()
  for (const { id } of simulator.store.sessionsCreatedUntil(oldest)) {
    // Read again: it may have changed while the webhook of another one was sent.
    const session = simulator.store.byId(id)
    if (session === undefined || isFinal(session)) continue
    await endSession(simulator, session)
  }
}

async function endSession(simulator: Simulator, session: Session): Promise<void> {
  await decideSession(simulator, session, { outcome: session.attempts.length === 0 ? 'expire' : 'abandon' })
}

/** Starts an attempt without sending the event. */
function startAttempt(simulator: Simulator, session: Session): void {
  session.attempts.push({ id: randomUUID(), createdAt: simulator.now().toISOString(), status: 'started' })
  session.status = 'started'
}

/** A session that ends without having been opened has no attempt; every other decision belongs to one. */
function requiresAttempt(session: Session, outcome: Outcome): boolean {
  if (outcome === 'expire' || outcome === 'abandon') return false
  return session.attempts.length === 0 || session.status === 'resubmission_requested'
}

/** The provider requests at most nine resubmissions; the tenth attempt is declined with reason code 539. */
const resubmissionsMax = 9

function createDecision(simulator: Simulator, session: Session, request: DecideRequest): Decision {
  const now = simulator.now()
  const data = outcomeData[request.outcome]
  const limitExceeded = request.outcome === 'resubmission' && session.attempts.length > resubmissionsMax
  const status = limitExceeded ? 'declined' : data.status
  const birth = data.ageYears === null ? null : yearsBefore(now, data.ageYears)
  return {
    attemptId: request.attemptId ?? currentAttempt(session)?.id ?? null,
    status,
    code: decisionCodes[status],
    reason: limitExceeded ? 'Resubmission limit exceeded' : data.reason,
    reasonCode: limitExceeded ? 539 : (request.reasonCode ?? data.reasonCode),
    decisionTime: request.decisionTime ?? now.toISOString(),
    dateOfBirth: request.dateOfBirth === undefined ? birth : request.dateOfBirth,
    estimatedAge: request.estimatedAge ?? null,
    decisionScore: request.decisionScore ?? null,
  }
}

/** 'YYYY-MM-DD', at least half a year away from any birthday that a test may be about. */
function yearsBefore(now: Date, years: number): string {
  const birth = new Date(now)
  birth.setUTCDate(1)
  birth.setUTCMonth(birth.getUTCMonth() - 6)
  birth.setUTCFullYear(birth.getUTCFullYear() - years)
  return birth.toISOString().slice(0, 10)
}
