import type { ProviderOutcome, ProviderResult } from '#domain/provider-result.ts'
import { wasOpened } from '#domain/verification/completion-counts.ts'
import { attemptsOf, type VerificationChange } from '#domain/verification/timeline.ts'
import {
  decideEffect,
  type Effect,
  type VerificationState,
  type VerificationTrigger,
} from '#domain/verification/verification.policy.ts'

/** A sample, which is started at the epoch, from one change to the next. */
export interface SampleState extends VerificationState {
  /** Its number, from 0. */
  sample: number
  since: Date
  /** Null for the last state. */
  until: Date | null
  opened: boolean
  /** When a decision that contradicts the first one revoked the token. */
  tokenRevokedAt: Date | null
  timeline: VerificationChange[]
}

const submission = ['started', 'submitted'] as const

/** What the provider reports, for how many of a thousand verifications, and the age that it finds. */
const scenarios: [perThousand: number, over18: boolean | null, ...ProviderOutcome[]][] = [
  [690, true, ...submission, 'approved'],
  [45, false, ...submission, 'approved'],
  [25, null, ...submission, 'approved'],
  [70, null, ...submission, 'declined'],
  [55, true, ...submission, 'resubmission_requested', ...submission, 'approved'],
  [10, null, ...submission, 'resubmission_requested', ...submission, 'declined'],
  [12, null, ...submission, 'resubmission_requested'],
  [25, true, ...submission, 'review', 'approved'],
  [4, null, ...submission],
  [4, true, ...submission, 'approved', 'review', 'declined'],
  [30, null, 'started', 'abandoned'],
  [30, null, 'expired'],
]

interface OutcomeTerms {
  code: number
  /** The least and the greatest time since the outcome before. */
  seconds: [min: number, max: number]
  score?: [min: number, max: number]
  /** The provider's reasons; frequent ones several times. */
  reasons?: number[]
}

const weekSeconds = 7 * 24 * 3600

const terms: Record<ProviderOutcome, OutcomeTerms> = {
  started: { code: 7001, seconds: [3, 240] },
  submitted: { code: 7002, seconds: [25, 360] },
  review: { code: 9121, seconds: [1_800, 72_000] },
  approved: { code: 9001, seconds: [2, 45], score: [0.85, 1] },
  declined: {
    code: 9102,
    seconds: [2, 45],
    score: [0, 0.3],
    reasons: [101, 101, 102, 102, 102, 102, 103, 103, 103, 103, 105, 106, 108, 112, 113, 533, 533, 533],
  },
  resubmission_requested: {
    code: 9103,
    seconds: [300, 540],
    reasons: [201, 201, 204, 204, 204, 205, 206, 207],
  },
  expired: { code: 9104, seconds: [weekSeconds, weekSeconds] },
  abandoned: { code: 9104, seconds: [weekSeconds, weekSeconds] },
}

/** One thousand verifications of all kinds: the states that the domain's policy gives them. */
export function sampleVerifications(sessionLifetimeMs: number): SampleState[] {
  const samples = scenarios.flatMap(scenario => new Array<typeof scenario>(scenario[0]).fill(scenario))
  const closing: TimedTrigger = [new Date(sessionLifetimeMs), { by: 'service', outcome: 'lifetime_over' }]
  return samples.flatMap(([, over18, ...outcomes], sample) => {
    const triggers = [...listTriggers(outcomes, over18), closing]
    return listStates(
      sample,
      triggers.sort(([one], [other]) => Number(one) - Number(other)),
    )
  })
}

type TimedTrigger = [at: Date, trigger: VerificationTrigger]

function listTriggers(outcomes: ProviderOutcome[], over18: boolean | null): TimedTrigger[] {
  const triggers: TimedTrigger[] = []
  let [ms, attempt] = [0, 1]
  for (const [index, outcome] of outcomes.entries()) {
    const { code, seconds, score, reasons = [] } = terms[outcome]
    ms += Math.floor(1_000 * between(...seconds))
    if (outcomes[index - 1] === 'resubmission_requested') attempt++
    const result: ProviderResult = {
      providerSessionId: '',
      vendorData: null,
      // There is no attempt in a session that nobody has opened.
      attemptId: outcome === 'expired' ? null : String(attempt),
      outcome,
      over18: outcome === 'approved' ? over18 : null,
      code,
      reasonCode: reasons[Math.floor(between(0, reasons.length))]?.toString() ?? null,
      score: score ? Number(between(...score).toFixed(3)) : null,
      // Events carry no time.
      decidedAt: code < 9000 ? null : new Date(ms - 1_500),
    }
    triggers.push([new Date(ms), { by: 'provider', result }])
  }
  return triggers
}

const pending: VerificationState = {
  status: 'pending',
  attemptId: null,
  pastAttemptIds: [],
  decidedAt: null,
  completedAt: null,
  confidence: null,
  over18: null,
}

function listStates(sample: number, triggers: TimedTrigger[]): SampleState[] {
  const first = { since: new Date(0), until: null, opened: false, tokenRevokedAt: null, timeline: [] }
  let last: SampleState = { sample, ...pending, ...first }
  const states = [last]
  for (const [at, trigger] of triggers) {
    const effect = decideEffect(trigger, last, at)
    if (effect.kind === 'unchanged') continue
    last.until = at
    last = { ...last, since: at, until: null }
    if (effect.kind === 'applied') {
      last.opened = wasOpened(last.status, effect.state.status)
      last = { ...last, ...effect.state }
    } else if (effect.revokesToken) last.tokenRevokedAt = at
    last.timeline = [...last.timeline, toChange(at, trigger, effect, attemptsOf(last))]
    states.push(last)
  }
  return states
}

function toChange(
  at: Date,
  trigger: VerificationTrigger,
  effect: Exclude<Effect, { kind: 'unchanged' }>,
  attempts: string[],
): VerificationChange {
  const result = trigger.by === 'provider' ? trigger.result : undefined
  const applied = effect.kind === 'applied'
  return {
    at: at.toISOString(),
    status: applied ? effect.state.status : effect.status,
    source: trigger.by,
    code: result?.code ?? null,
    attempt: result?.attemptId ? attempts.indexOf(result.attemptId) + 1 : null,
    applied,
    reason_code: result?.reasonCode ?? null,
    decided_at: applied ? null : (result?.decidedAt?.toISOString() ?? null),
  }
}

function between(min: number, max: number): number {
  return min + Math.random() * (max - min)
}
