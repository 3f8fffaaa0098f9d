import type { ProviderOutcome, ProviderResult } from './provider-result.ts'

export const verificationStatuses = [
  'pending',
  'started',
  'submitted',
  'approved',
  'denied',
  'resubmission',
  'rejected',
] as const
export type VerificationStatus = (typeof verificationStatuses)[number]
type OpenStatus = 'pending' | 'started' | 'submitted' | 'resubmission'

/** The identity provider of version 1: the constant in every `provider` field. */
export const providerName = 'veriff'

/** What a status depends on; `completedAt` is set once, and then nothing changes. */
export interface VerificationState {
  status: VerificationStatus
  attemptId: string | null
  pastAttemptIds: string[]
  decidedAt: Date | null
  completedAt: Date | null
  /** Between 0 and 1; null until completion. */
  confidence: number | null
  /** Null until completion, and where the age could not be confirmed or denied. */
  over18: boolean | null
}

/** What can be reported of a verification: by the provider, by the tenant, by the end of its lifetime. */
export type Report =
  | { by: 'provider'; result: ProviderResult }
  | { by: 'tenant'; outcome: 'returned' }
  | { by: 'service'; outcome: 'lifetime_over' }

export type Effect =
  | { kind: 'none' }
  | { kind: 'moved'; state: VerificationState }
  /** Recorded, and nothing that the tenant has been told changes. */
  | { kind: 'contradicted'; status: VerificationStatus; revokesToken: boolean }

type Word = ProviderOutcome | 'returned' | 'lifetime_over'

/** What ends an undecided verification, whatever its status. */
const conclusions: Partial<Record<Word, VerificationStatus>> = {
  approved: 'approved',
  declined: 'denied',
  expired: 'rejected',
  abandoned: 'rejected',
}

/**
 * The states and transitions. What is not in a row does nothing. A verification is completed by `approved`,
 * `denied` and `rejected`, and by the end of its lifetime in whatever status that leaves it.
 */
const transitions: Record<OpenStatus, Partial<Record<Word, VerificationStatus>>> = {
  pending: {
    started: 'started',
    submitted: 'submitted',
    review: 'submitted',
    returned: 'submitted',
    resubmission_requested: 'resubmission',
    ...conclusions,
    lifetime_over: 'rejected',
  },
  started: {
    submitted: 'submitted',
    review: 'submitted',
    returned: 'submitted',
    resubmission_requested: 'resubmission',
    ...conclusions,
    lifetime_over: 'rejected',
  },
  submitted: {
    resubmission_requested: 'resubmission',
    ...conclusions,
    lifetime_over: 'submitted',
  },
  resubmission: {
    started: 'started',
    submitted: 'submitted',
    review: 'submitted',
    returned: 'submitted',
    resubmission_requested: 'resubmission',
    ...conclusions,
    lifetime_over: 'resubmission',
  },
}

/** What a report does to a verification. Twice, late or out of order, it never moves one back. */
export function effectOf(report: Report, state: VerificationState, now: Date): Effect {
  const word = report.by === 'provider' ? report.result.outcome : report.outcome
  if (state.completedAt) return contradiction(word, state)
  if (report.by === 'provider' && !conclusions[word] && isOld(report.result, state)) return { kind: 'none' }
  const status = transitions[state.status as OpenStatus][word]
  if (!status) return { kind: 'none' }
  const completes = word in conclusions || word === 'lifetime_over'
  return { kind: 'moved', state: moved(report, state, status, completes ? now : null) }
}

function contradiction(word: Word, state: VerificationState): Effect {
  const status = conclusions[word]
  if (!status || status === state.status) return { kind: 'none' }
  return { kind: 'contradicted', status, revokesToken: word === 'declined' && state.status === 'approved' }
}

/**
 * Whether a result that decides nothing speaks of the past: of an attempt that had to be repeated or that another
 * one followed, or of an earlier decision. After `resubmission` only a result that names a new attempt, or a later
 * time, is known to be news.
 */
function isOld({ attemptId, decidedAt, outcome }: ProviderResult, state: VerificationState): boolean {
  if (attemptId !== null && state.pastAttemptIds.includes(attemptId)) return true
  if (decidedAt !== null && state.decidedAt !== null && decidedAt < state.decidedAt) return true
  if (attemptId !== null) return false
  if (outcome !== 'resubmission_requested') return state.status === 'resubmission'
  if (decidedAt === null) return state.decidedAt !== null || state.status === 'resubmission'
  return state.decidedAt !== null && decidedAt <= state.decidedAt
}

function moved(
  report: Report,
  state: VerificationState,
  status: VerificationStatus,
  completedAt: Date | null,
): VerificationState {
  const result = report.by === 'provider' ? report.result : undefined
  const attemptId = result?.attemptId ?? state.attemptId
  const followed = attemptId === state.attemptId ? null : state.attemptId
  const repeated = status === 'resubmission' ? attemptId : null
  const ended = [followed, repeated].filter(id => id !== null)
  return {
    status,
    attemptId,
    pastAttemptIds: [...new Set([...state.pastAttemptIds, ...ended])],
    decidedAt: result?.decidedAt ?? state.decidedAt,
    completedAt,
    confidence: completedAt ? confidenceOf(result, status) : null,
    over18: status === 'approved' ? (result?.over18 ?? null) : null,
  }
}

/** The provider's score within 0 and 1; without one a decision counts as its own: 1 for approved, else 0. */
function confidenceOf(result: ProviderResult | undefined, status: VerificationStatus): number {
  if (result?.score !== null && result?.score !== undefined) return Math.min(1, Math.max(0, result.score))
  return status === 'approved' ? 1 : 0
}
