/** A verification session as the provider stores it. Times are ISO 8601, UTC. */
export interface Session {
  id: string
  /** Authorizes the hosted page: whoever has it can complete the session. */
  token: string
  vendorData: string | null
  endUserId: string | null
  callback: string | null
  createdAt: string
  status: SessionStatus
  /** The newest last. */
  attempts: Attempt[]
  /** The latest one; not cleared when a later attempt starts. */
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
  /** Sent as it is, so that scripts can also send an impossible date. */
  dateOfBirth: string | null
  estimatedAge: number | null
  /** 0 to 1; only in the Full Auto shape. */
  decisionScore: number | null
}

/** What a person or a script can choose; the value is what they send. */
export const outcomes = [
  'approve-adult',
  'approve-minor',
  'approve-unknown-age',
  'decline',
  'resubmission',
  'review',
  'abandon',
  'expire',
] as const

export type Outcome = (typeof outcomes)[number]

type OutcomeData = Pick<Decision, 'status' | 'reason' | 'reasonCode'> & { ageYears: number | null }

const none = { reason: null, reasonCode: null, ageYears: null }

export const outcomeData: Record<Outcome, OutcomeData> = {
  'approve-adult': { ...none, status: 'approved', ageYears: 34 },
  'approve-minor': { ...none, status: 'approved', ageYears: 15 },
  'approve-unknown-age': { ...none, status: 'approved' },
  decline: { ...none, status: 'declined', reasonCode: 106, reason: 'Known fraud', ageYears: 34 },
  resubmission: {
    ...none,
    status: 'resubmission_requested',
    reasonCode: 204,
    reason: 'Image quality is too poor',
  },
  review: { ...none, status: 'review' },
  abandon: { ...none, status: 'abandoned' },
  expire: { ...none, status: 'expired' },
}

/** The provider's decision codes. Receivers should evaluate `status` instead. */
export const decisionCodes: Record<DecisionStatus, number> = {
  approved: 9001,
  declined: 9102,
  resubmission_requested: 9103,
  expired: 9104,
  abandoned: 9104,
  review: 9121,
}

const finalStatuses: ReadonlySet<SessionStatus> = new Set(['approved', 'declined', 'expired', 'abandoned'])

export function isFinal(session: Session): boolean {
  return finalStatuses.has(session.status)
}

export function canSubmit(session: Session): boolean {
  return session.status === 'created' || session.status === 'started'
}

/** While the provider examines it, a session cannot be deleted. */
export function canDelete(session: Session): boolean {
  return session.status !== 'submitted' && session.status !== 'review'
}

/** The decision that the session's status results from; null while an attempt is running. */
export function currentDecision(session: Session): Decision | null {
  return session.decision?.status === session.status ? session.decision : null
}

export function currentAttempt(session: Session): Attempt | undefined {
  return session.attempts.at(-1)
}

/** Sets the status of the session and of its current attempt. */
export function setStatus(session: Session, status: SessionStatus): void {
  session.status = status
  const attempt = currentAttempt(session)
  if (attempt !== undefined) attempt.status = status
}
