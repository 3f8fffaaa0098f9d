import type { ProviderOutcome, ProviderResult } from '../provider-result.ts'
import { type OpenStatus, type VerificationStatus, verificationStatuses } from '../verification-status.ts'

/** What a status depends on, and the age of an approved one. Nothing changes any more once `completedAt` is set. */
export interface VerificationState {
  status: VerificationStatus
  attemptId: string | null
  pastAttemptIds: string[]
  decidedAt: Date | null
  completedAt: Date | null
  /** Between 0 and 1; null until completion. */
  confidence: number | null
  /** Whether the person was 18 or over on the day of the approval; null if unknown. */
  over18: boolean | null
}

/** What can change a verification: a provider's result, the end of its lifetime. */
export type VerificationTrigger =
  | { by: 'provider'; result: ProviderResult }
  | { by: 'service'; outcome: 'lifetime_over' }

/**
 * Why a trigger changes nothing: it was applied before, the verification is completed, the result is older than what is
 * known, or the status has no transition for it.
 */
export type NoEffectReason = 'repeated' | 'completed' | 'out_of_date' | 'no_transition'

export type Effect =
  | { kind: 'unchanged'; reason: NoEffectReason }
  | { kind: 'applied'; state: VerificationState }
  | Contradiction

/** Recorded in the timeline; the status that was reported to the tenant stays. */
export interface Contradiction {
  kind: 'contradicted'
  status: VerificationStatus
  revokesToken: boolean
}

type Trigger = ProviderOutcome | 'lifetime_over'

type Transitions = Partial<Record<Trigger, VerificationStatus>>

/** Outcomes that complete a verification in any open status. */
const conclusions: Transitions = {
  approved: 'approved',
  declined: 'denied',
  expired: 'rejected',
  abandoned: 'rejected',
}

/** Of a verification whose user has not submitted anything. */
const unsubmitted: Transitions = {
  submitted: 'submitted',
  review: 'submitted',
  resubmission_requested: 'resubmission',
  ...conclusions,
  lifetime_over: 'rejected',
}

/**
 * The states and transitions. A trigger that is missing from a row has no effect. A verification is completed by
 * `approved`, `denied` and `rejected`, and by the end of its lifetime, in the status that the table gives for it.
 */
const transitions: Record<OpenStatus, Transitions> = {
  pending: { started: 'started', ...unsubmitted },
  started: unsubmitted,
  submitted: {
    resubmission_requested: 'resubmission',
    ...conclusions,
    lifetime_over: 'submitted',
  },
  resubmission: {
    started: 'started',
    submitted: 'submitted',
    review: 'submitted',
    resubmission_requested: 'resubmission',
    ...conclusions,
    lifetime_over: 'resubmission',
  },
}

/** Those in which a verification can be completed. */
export const completedStatuses = verificationStatuses.filter(
  status =>
    Object.values(conclusions).includes(status) ||
    Object.values(transitions).some(row => row.lifetime_over === status),
)

/** The effect of a trigger. Repeated, late or out of order, it never moves a verification back. */
export function decideEffect(trigger: VerificationTrigger, state: VerificationState, now: Date): Effect {
  const outcome = trigger.by === 'provider' ? trigger.result.outcome : trigger.outcome
  if (state.completedAt) return contradiction(trigger, outcome, state)
  if (trigger.by === 'provider' && isOutOfDate(trigger.result, state)) {
    return { kind: 'unchanged', reason: 'out_of_date' }
  }
  const status = transitions[state.status as OpenStatus][outcome]
  if (!status && !isNewAttempt(trigger, state)) return { kind: 'unchanged', reason: 'no_transition' }
  const completes = outcome in conclusions || outcome === 'lifetime_over'
  return { kind: 'applied', state: moved(trigger, state, status ?? state.status, completes ? now : null) }
}

/** Only the newest decision, or one of unknown age, revokes a token. */
function contradiction(trigger: VerificationTrigger, outcome: Trigger, state: VerificationState): Effect {
  const status = conclusions[outcome]
  if (!status) return { kind: 'unchanged', reason: 'completed' }
  const result = trigger.by === 'provider' ? trigger.result : undefined
  const contradicts = status === state.status ? result && hasOtherAge(result, state) : true
  if (!contradicts) return { kind: 'unchanged', reason: 'repeated' }
  const isPast = result && (attemptAge(result, state) === 'past' || timeOrder(result, state) === 'older')
  const provesNoAge = outcome === 'declined' || (outcome === 'approved' && state.over18 === true)
  const revokesToken = state.status === 'approved' && provesNoAge && !isPast
  return { kind: 'contradicted', status, revokesToken }
}

/** Whether an approval after an approval says another age. The same decision can come once more without its person. */
function hasOtherAge(result: ProviderResult, state: VerificationState): boolean {
  const isSame = result.over18 === null && timeOrder(result, state) === 'same'
  return state.status === 'approved' && result.over18 !== state.over18 && !isSame
}

/**
 * Whether a newer result is known. The order of attempts counts more than the provider's clock. Conclusions are of the whole
 * session: only a decision makes them out of date, because a late event can make the newest attempt look like a past one.
 */
function isOutOfDate(result: ProviderResult, state: VerificationState): boolean {
  const age = attemptAge(result, state)
  const order = timeOrder(result, state)
  if (result.outcome in conclusions) {
    return age !== 'newest' && (order === 'older' || (order === 'same' && age === 'past'))
  }
  switch (age) {
    case 'past':
      return true
    case 'to_repeat':
      return order !== 'newer'
    case 'newest':
    case 'new':
      return order === 'older'
    case 'unnamed':
      return order === 'older' || (order !== 'newer' && isRepetition(result, state))
  }
}

/** Whether a result without an attempt may be one that was applied before the last resubmission request, or that request. */
function isRepetition({ outcome }: ProviderResult, { status, decidedAt }: VerificationState): boolean {
  return status === 'resubmission' || (outcome === 'resubmission_requested' && decidedAt !== null)
}

/**
 * The place of the result's attempt among those that are known.
 * `to_repeat`: the newest one, for which a resubmission was requested.
 */
function attemptAge({ attemptId }: ProviderResult, { attemptId: newest, pastAttemptIds }: VerificationState) {
  if (attemptId === null) return 'unnamed'
  const hasEnded = pastAttemptIds.includes(attemptId)
  if (attemptId === newest) return hasEnded ? 'to_repeat' : 'newest'
  return hasEnded ? 'past' : 'new'
}

/** By the provider's clock, against the newest decision; `unknown` where one of them has no time. */
function timeOrder({ decidedAt }: ProviderResult, state: VerificationState) {
  if (!decidedAt || !state.decidedAt) return 'unknown'
  const differenceMs = decidedAt.getTime() - state.decidedAt.getTime()
  return differenceMs < 0 ? 'older' : differenceMs > 0 ? 'newer' : 'same'
}

/** Whether the attempt has to be remembered even if the status stays: it makes the ones before it past. */
function isNewAttempt(trigger: VerificationTrigger, state: VerificationState): boolean {
  return trigger.by === 'provider' && attemptAge(trigger.result, state) === 'new'
}

function moved(
  trigger: VerificationTrigger,
  state: VerificationState,
  status: VerificationStatus,
  completedAt: Date | null,
): VerificationState {
  const result = trigger.by === 'provider' ? trigger.result : undefined
  const attemptId = result?.attemptId ?? state.attemptId
  const superseded = attemptId === state.attemptId ? null : state.attemptId
  const repeated = status === 'resubmission' ? attemptId : null
  const ended = [superseded, repeated].filter(id => id !== null)
  return {
    status,
    attemptId,
    pastAttemptIds: [...new Set([...state.pastAttemptIds, ...ended])],
    decidedAt: result?.decidedAt ?? state.decidedAt,
    completedAt,
    confidence: completedAt ? toConfidence(result, status) : null,
    over18: result && status === 'approved' ? result.over18 : null,
  }
}

/** The provider's score, limited to 0 to 1. Without a score: 1 for approved, else 0. */
function toConfidence(result: ProviderResult | undefined, status: VerificationStatus): number {
  if (result?.score !== null && result?.score !== undefined) return Math.min(1, Math.max(0, result.score))
  return status === 'approved' ? 1 : 0
}
