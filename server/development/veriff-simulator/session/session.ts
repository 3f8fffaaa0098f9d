/** A verification session as the provider knows it. Times are ISO 8601, UTC. */
export interface Session {
  id: string
  /** Opens the hosted page; whoever has it can finish the session. */
  token: string
  vendorData: string | null
  endUserId: string | null
  callback: string | null
  createdAt: string
  status: SessionStatus
  /** The newest last. */
  attempts: Attempt[]
  /** The newest one; stays while a later attempt is running. */
  decision: Decision | null
}

export interface Attempt {
  id: string
  createdAt: string
  status: SessionStatus
}

export type SessionStatus = 'created' | 'started' | 'submitted' | DecisionStatus

export type DecisionStatus =
  | 'approved'
  | 'declined'
  | 'resubmission_requested'
  | 'expired'
  | 'abandoned'
  | 'review'

export interface Decision {
  attemptId: string | null
  status: DecisionStatus
  code: number
  reason: string | null
  reasonCode: number | string | null
  decisionTime: string
  /** As it is sent, so that scripts can also send an impossible one. */
  dateOfBirth: string | null
  estimatedAge: number | null
  /** 0 to 1; only the Full Auto shape carries it. */
  decisionScore: number | null
}

const finalStatuses: ReadonlySet<SessionStatus> = new Set(['approved', 'declined', 'expired', 'abandoned'])

export function isFinal(session: Session): boolean {
  return finalStatuses.has(session.status)
}

/** The decision while it is the session's state; null while an attempt is running. */
export function standingDecision(session: Session): Decision | null {
  return session.decision?.status === session.status ? session.decision : null
}

export function currentAttempt(session: Session): Attempt | undefined {
  return session.attempts.at(-1)
}

/** Moves the session and its running attempt. */
export function moveTo(session: Session, status: SessionStatus): void {
  session.status = status
  const attempt = currentAttempt(session)
  if (attempt !== undefined) attempt.status = status
}
