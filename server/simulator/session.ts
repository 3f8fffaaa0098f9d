/** A verification session as the provider stores it. Times are ISO 8601, UTC. */
export interface Session {
  id: string
  /** SHA-256, hex, of the token that authorizes the hosted page: whoever has it can complete the session. */
  tokenHash: string
  vendorData: string | null
  endUserId: string | null
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

type OutcomeData = Pick<Decision, 'status' | 'reason' | 'reasonCode'> & { ageYears: number | null }

const none = { reason: null, reasonCode: null, ageYears: null }

/** What a person or a script can choose, by the value that they send. */
export const outcomeData = {
  'approve-adult': { ...none, status: 'approved', ageYears: 34 },
  'approve-minor': { ...none, status: 'approved', ageYears: 15 },
  'approve-unknown-age': { ...none, status: 'approved' },
  decline: { ...none, status: 'declined', reasonCode: 106, reason: 'Known fraud', ageYears: 34 },
  resubmission: { ...none, status: 'resubmission_requested', reasonCode: 204, reason: 'Poor image quality' },
  review: { ...none, status: 'review' },
  abandon: { ...none, status: 'abandoned' },
  expire: { ...none, status: 'expired' },
} satisfies Record<string, OutcomeData>

export type Outcome = keyof typeof outcomeData

export const outcomes = Object.keys(outcomeData) as Outcome[]

/** The provider's decision codes. Receivers should evaluate `status` instead. */
export const decisionCodes = {
  approved: 9001,
  declined: 9102,
  resubmission_requested: 9103,
  expired: 9104,
  abandoned: 9104,
  review: 9121,
}

export function isFinal({ status }: Session): boolean {
  return ['approved', 'declined', 'expired', 'abandoned'].includes(status)
}
