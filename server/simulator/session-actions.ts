import { hash, randomBytes, randomUUID } from 'node:crypto'
import { type Decision, decisionCodes, isFinal, type Outcome, outcomeData, type Session } from './session.ts'
import { decisionWebhook, eventWebhook, fullAutoWebhook, type Webhook } from './webhook-body.ts'

export type SessionRequest = Pick<Session, 'vendorData' | 'endUserId' | 'callback'>

/** A new session, and the token of its page, which is not stored. */
export function newSession(request: SessionRequest, now: Date): { session: Session; token: string } {
  const token = randomBytes(32).toString('base64url')
  const session: Session = {
    id: randomUUID(),
    tokenHash: hashToken(token),
    ...request,
    createdAt: now.toISOString(),
    status: 'created',
    attempts: [],
    decision: null,
    isDown: false,
    revision: 0,
  }
  return { session, token }
}

export function hashToken(token: string): string {
  return hash('sha256', token)
}

/** What an action makes of a session, and the webhook that is sent for it; undefined if it changes nothing. */
export type Action = (session: Session, now: Date) => { session: Session; webhook?: Webhook } | undefined

/**
 * The person opens the hosted page: a new attempt and event 7001, on the first call and after a resubmission was
 * requested. Otherwise (a reload, a session in review, a final one) nothing is changed or sent.
 */
export const openSession: Action = (session, now) => {
  if (session.status !== 'created' && session.status !== 'resubmission_requested') return undefined
  const opened = startAttempt(session, now)
  return { session: opened, webhook: eventWebhook(opened, 'started') }
}

/** The person submits: event 7002. Nothing is changed or sent unless the session is created or started. */
export const submitSession: Action = (session, now) => {
  if (session.status !== 'created' && session.status !== 'started') return undefined
  const started = session.attempts.length === 0 ? startAttempt(session, now) : session
  const submitted: Session = { ...started, status: 'submitted' }
  return { session: submitted, webhook: eventWebhook(submitted, 'submitted') }
}

/** What is decided. What is absent is derived from the outcome. */
export interface DecisionInput {
  outcome: Outcome
  /** 'YYYY-MM-DD', or any text that a test wants to be sent; null sends none. */
  dateOfBirth?: string | null | undefined
  estimatedAge?: number | undefined
  /** Implies the shape `full-auto`. */
  decisionScore?: number | undefined
  reasonCode?: number | string | null | undefined
  /** Now by default. */
  decisionTime?: string | undefined
  attemptId?: string | undefined
  shape?: 'decision' | 'full-auto' | undefined
}

/** Decides in any state of the session: events are optional, and the provider may correct a decision. */
export function decideSession(input: DecisionInput): Action {
  return (session, now) => {
    const attempted = requiresAttempt(session, input.outcome) ? startAttempt(session, now) : session
    const decision = createDecision(now, attempted, input)
    const decided: Session = { ...attempted, decision, status: decision.status, isDown: false }
    const isFullAuto = input.shape === 'full-auto' || input.decisionScore !== undefined
    return { session: decided, webhook: (isFullAuto ? fullAutoWebhook : decisionWebhook)(decided, decision) }
  }
}

/** The provider does not answer for the session until a decision is made. */
export const takeDown: Action = session => ({ session: { ...session, isDown: true } })

/** Expired if it was never opened, else abandoned. Nothing changes in a final session. */
export const endSession: Action = (session, now) =>
  isFinal(session)
    ? undefined
    : decideSession({ outcome: session.attempts.length === 0 ? 'expire' : 'abandon' })(session, now)

const sessionLifetimeMs = 7 * 86_400_000

/** A session without a final decision ends 7 days after its creation. */
export function endIfOld(session: Session, now: Date): Session {
  const endsAt = new Date(Date.parse(session.createdAt) + sessionLifetimeMs)
  return (now >= endsAt && endSession(session, endsAt)?.session) || session
}

/** Starts an attempt without sending the event. */
function startAttempt(session: Session, now: Date): Session {
  const attempt = { id: randomUUID(), createdAt: now.toISOString() }
  return { ...session, attempts: [...session.attempts, attempt], status: 'started' }
}

/** A session that ends without having been opened has no attempt; every other decision belongs to one. */
function requiresAttempt({ attempts, status }: Session, outcome: Outcome): boolean {
  if (outcome === 'expire' || outcome === 'abandon') return false
  return attempts.length === 0 || status === 'resubmission_requested'
}

/** The provider requests at most nine resubmissions; the tenth attempt is declined with reason code 539. */
const resubmissionsMax = 9

function createDecision(now: Date, session: Session, input: DecisionInput): Decision {
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
