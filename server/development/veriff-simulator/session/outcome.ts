import type { Decision, DecisionStatus } from './session.ts'

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

type OutcomeFacts = Pick<Decision, 'status' | 'reason' | 'reasonCode'> & { ageYears: number | null }

const none = { reason: null, reasonCode: null, ageYears: null }

export const outcomeFacts: Record<Outcome, OutcomeFacts> = {
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

/** The provider's numbers; `status` is what receivers should go by. */
export const decisionCodes: Record<DecisionStatus, number> = {
  approved: 9001,
  declined: 9102,
  resubmission_requested: 9103,
  expired: 9104,
  abandoned: 9104,
  review: 9121,
}
