import { randomBytes, randomUUID } from 'node:crypto'
import type { DecideInput } from './control/inputs.ts'
import { type Decision, decisionCodes, isFinal, type Outcome, outcomeData, type Session } from './session.ts'
import type { Simulator } from './simulator.ts'
import type { Delivery, DeliveryPlan } from './webhook/delivery.ts'
import { decisionWebhook, eventWebhook, fullAutoWebhook } from './webhook/webhook-body.ts'

export type SessionRequest = Pick<Session, 'vendorData' | 'endUserId' | 'callback'>

/** The provider has no idempotency: each call creates another session. */
export function createSession({ store, now }: Simulator, request: SessionRequest): Session {
  const session: Session = {
    id: randomUUID(),
    token: randomBytes(32).toString('base64url'),
    ...request,
    createdAt: now().toISOString(),
    status: 'created',
    attempts: [],
    decision: null,
    deliveries: [],
  }
  store.save(session)
  return session
}

/**
 * The person opens the hosted page: a new attempt and event 7001, on the first call and after a resubmission was
 * requested. Otherwise (a reload, a session in review, a final one) nothing is changed or sent.
 */
export async function openSession(
  simulator: Simulator,
  session: Session,
  plan: DeliveryPlan = {},
): Promise<Delivery[]> {
  if (session.status !== 'created' && session.status !== 'resubmission_requested') return []
  startAttempt(simulator, session)
  return await simulator.outbox.post(session, plan, eventWebhook(session, 'started'))
}

/** The person submits: event 7002. Nothing is changed or sent unless the session is created or started. */
export async function submitSession(
  simulator: Simulator,
  session: Session,
  plan: DeliveryPlan = {},
): Promise<Delivery[]> {
  if (session.status !== 'created' && session.status !== 'started') return []
  if (session.attempts.length === 0) startAttempt(simulator, session)
  session.status = 'submitted'
  return await simulator.outbox.post(session, plan, eventWebhook(session, 'submitted'))
}

/** Decides in any state of the session: events are optional, and the provider may correct a decision. */
export async function decideSession(
  simulator: Simulator,
  session: Session,
  input: DecideInput,
): Promise<Delivery[]> {
  if (requiresAttempt(session, input.outcome)) startAttempt(simulator, session)
  const decision = createDecision(simulator.now(), session, input)
  session.decision = decision
  session.status = decision.status
  const isFullAuto = input.shape === 'full-auto' || input.decisionScore !== undefined
  const webhook = (isFullAuto ? fullAutoWebhook : decisionWebhook)(session, decision)
  const events = [eventWebhook(session, 'submitted'), eventWebhook(session, 'started')]
  return await simulator.outbox.post(session, input, webhook, session.attempts.length === 0 ? [] : events)
}

/** Deletes a session with all that belongs to it; one without a final decision is ended first, as after 7 days. */
export async function deleteSession(simulator: Simulator, session: Session): Promise<void> {
  if (!isFinal(session)) await endSession(simulator, session)
  simulator.store.delete(session)
}

const sessionLifetimeMs = 7 * 86_400_000
/** Webhooks are retried until then. */
const retentionMs = 15 * 86_400_000

/** Ends sessions without a final decision 7 days after their creation, and deletes all after 15 days. */
export async function endOldSessions(simulator: Simulator): Promise<void> {
  const { store, now } = simulator
  for (const { id, createdAt } of store.sessions()) {
    const ageMs = now().getTime() - Date.parse(createdAt)
    // It may have been deleted while the webhook of another one was sent.
    const session = store.byId(id)
    if (!session) continue
    if (ageMs > retentionMs) store.delete(session)
    else if (ageMs >= sessionLifetimeMs && !isFinal(session)) await endSession(simulator, session)
  }
}

/** Expired if it was never opened, else abandoned. */
async function endSession(simulator: Simulator, session: Session): Promise<void> {
  await decideSession(simulator, session, { outcome: session.attempts.length === 0 ? 'expire' : 'abandon' })
}

/** Starts an attempt without sending the event. */
function startAttempt({ now }: Simulator, session: Session): void {
  session.attempts.push({ id: randomUUID(), createdAt: now().toISOString() })
  session.status = 'started'
}

/** A session that ends without having been opened has no attempt; every other decision belongs to one. */
function requiresAttempt({ attempts, status }: Session, outcome: Outcome): boolean {
  if (outcome === 'expire' || outcome === 'abandon') return false
  return attempts.length === 0 || status === 'resubmission_requested'
}

/** The provider requests at most nine resubmissions; the tenth attempt is declined with reason code 539. */
const resubmissionsMax = 9

function createDecision(now: Date, session: Session, input: DecideInput): Decision {
  const data = outcomeData[input.outcome]
  const limitExceeded = input.outcome === 'resubmission' && session.attempts.length > resubmissionsMax
  const status = limitExceeded ? 'declined' : data.status
  const birth = data.ageYears === null ? null : yearsBefore(now, data.ageYears)
  return {
    attemptId: input.attemptId ?? session.attempts.at(-1)?.id ?? null,
    status,
    code: decisionCodes[status],
    reason: limitExceeded ? 'Resubmission limit exceeded' : data.reason,
    reasonCode: limitExceeded ? 539 : (input.reasonCode ?? data.reasonCode),
    decisionTime: input.decisionTime ?? now.toISOString(),
    dateOfBirth: input.dateOfBirth === undefined ? birth : input.dateOfBirth,
    estimatedAge: input.estimatedAge ?? null,
    decisionScore: input.decisionScore ?? null,
  }
}

/** 'YYYY-MM-DD', at least half a year away from any birthday that a test may be about. */
function yearsBefore(now: Date, years: number): string {
  const birth = new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth() - 6, 1))
  return birth.toISOString().slice(0, 10)
}
