import { hash, randomBytes, randomUUID } from 'node:crypto'
import { type Decision, isFinal, type Outcome, outcomeData, type Report, type Session } from './session.ts'

export type SessionRequest = Pick<Session, 'verificationId' | 'callback'>

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

export interface Change {
  session: Session
  /** Absent if nothing is reported of it. */
  report?: Report
}

/** What an action makes of a session; undefined if it changes nothing. */
export type Action = (session: Session, now: Date) => Change | undefined

/**
 * The person opens the hosted page: a new attempt and the event `started`, on the first call and after a resubmission was
 * requested. Otherwise (a reload, a session in review, a final one) nothing is changed or reported.
 */
export const openSession: Action = (session, now) => {
  if (session.status !== 'created' && session.status !== 'resubmission_requested') return undefined
  return { session: startAttempt(session, now), report: 'started' }
}

/** The person submits: the event `submitted`. Nothing is changed or reported unless the session is created or started. */
export const submitSession: Action = (session, now) => {
  if (session.status !== 'created' && session.status !== 'started') return undefined
  const started = session.attempts.length === 0 ? startAttempt(session, now) : session
  return { session: { ...started, status: 'submitted' }, report: 'submitted' }
}

/**
 * Decides in any state of the session: events are optional, and the provider may correct a decision. `reasonCode` replaces
 * that of the outcome.
 */
export function decideSession(outcome: Outcome, reasonCode?: string): Action {
  return (session, now) => {
    const attempted = requiresAttempt(session, outcome) ? startAttempt(session, now) : session
    const decision = createDecision(now, attempted, outcome, reasonCode)
    return {
      session: { ...attempted, decision, status: decision.status, isDown: false },
      report: 'decision',
    }
  }
}

/** The provider does not answer for the session until a decision is made. */
export const takeDown: Action = session => ({ session: { ...session, isDown: true } })

/** Expired if it was never opened, else abandoned. Nothing changes in a final session. */
export const endSession: Action = (session, now) =>
  isFinal(session)
    ? undefined
    : decideSession(session.attempts.length === 0 ? 'expire' : 'abandon')(session, now)

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

function createDecision(now: Date, { attempts }: Session, outcome: Outcome, reasonCode?: string): Decision {
  const data = outcomeData[outcome]
  const limitExceeded = outcome === 'resubmission' && attempts.length > resubmissionsMax
  return {
    attemptId: attempts.at(-1)?.id ?? null,
    status: limitExceeded ? 'declined' : data.status,
    reasonCode: limitExceeded ? '539' : (reasonCode ?? data.reasonCode),
    decisionTime: now.toISOString(),
    ageYears: data.ageYears,
  }
}
