/** A verification session as the test provider stores it. Times are ISO 8601, UTC. */
export interface Session {
  id: string
  /** SHA-256, hex, of the token that authorizes the hosted page: whoever has it can complete the session. */
  tokenHash: string
  verificationId: string
  callback: string | null
  createdAt: string
  status: SessionStatus
  /** The newest last. */
  attempts: { id: string; createdAt: string }[]
  /** The latest one; not cleared when a later attempt starts. */
  decision: Decision | null
  /** Whether its decision cannot be fetched: the provider is down for this session. */
  isDown: boolean
  /** Incremented by each change, which is stored only over the revision that was read. */
  revision: number
}

export type SessionStatus = 'created' | 'started' | 'submitted' | DecisionStatus

export type DecisionStatus = keyof typeof decisionCodes

export interface Decision {
  attemptId: string | null
  status: DecisionStatus
  reasonCode: string | null
  decisionTime: string
  /** The person's age in whole years; null if unknown. */
  ageYears: number | null
}

type OutcomeData = Pick<Decision, 'status' | 'reasonCode' | 'ageYears'>

const none = { reasonCode: null, ageYears: null }

/** What a person or a script can choose, by the value that they send. */
export const outcomeData = {
  'approve-adult': { ...none, status: 'approved', ageYears: 34 },
  'approve-minor': { ...none, status: 'approved', ageYears: 15 },
  'approve-unknown-age': { ...none, status: 'approved' },
  decline: { status: 'declined', reasonCode: '106', ageYears: 34 },
  resubmission: { ...none, status: 'resubmission_requested', reasonCode: '204' },
  review: { ...none, status: 'review' },
  abandon: { ...none, status: 'abandoned' },
  expire: { ...none, status: 'expired' },
} satisfies Record<string, OutcomeData>

export type Outcome = keyof typeof outcomeData

export const outcomes = Object.keys(outcomeData) as Outcome[]

/** The codes of Veriff's decisions. */
export const decisionCodes = {
  approved: 9001,
  declined: 9102,
  resubmission_requested: 9103,
  expired: 9104,
  abandoned: 9104,
  review: 9121,
}

/** The codes of Veriff's events. */
export const eventCodes = { started: 7001, submitted: 7002 }

/** What is reported of a session when it changes: an event of its current attempt, or its decision. */
export type Report = keyof typeof eventCodes | 'decision'

export function isFinal({ status }: Session): boolean {
  return ['approved', 'declined', 'expired', 'abandoned'].includes(status)
}
