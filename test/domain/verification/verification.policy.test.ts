import { expect } from 'chai'
import type { ProviderResult } from '#domain/verification/provider-result.ts'
import {
  type Effect,
  effectOf,
  type VerificationState,
  type VerificationStatus,
  type VerificationTrigger,
  verificationStatuses,
} from '#domain/verification/verification.policy.ts'
import { byProvider, fresh, lifetimeOver, returned, words } from './reports.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const earlier = new Date('2026-11-20T11:00:00.000Z')
const later = new Date('2026-11-20T13:00:00.000Z')

/** One row a status, one column a report in the order of `words`: `-` nothing, `!` completes. */
const table = `
              started  submitted  review     resubmission  approved   declined  expired    abandoned  returned   lifetime
pending       started  submitted  submitted  resubmission  approved!  denied!   rejected!  rejected!  submitted  rejected!
started       -        submitted  submitted  resubmission  approved!  denied!   rejected!  rejected!  submitted  rejected!
submitted     -        -          -          resubmission  approved!  denied!   rejected!  rejected!  -          submitted!
resubmission  started  submitted  submitted  resubmission  approved!  denied!   rejected!  rejected!  submitted  resubmission!
`

const rows = table
  .trim()
  .split('\n')
  .slice(1)
  .map(line => line.trim().split(/\s+/) as [VerificationStatus, ...string[]])

describe('the life of a verification', () => {
  for (const [status, ...cells] of rows) {
    it(`moves on from ${status} as decided, whatever is reported`, () => {
      for (const [index, report] of words.entries()) {
        const effect = apply(report, { ...fresh, status })
        expect(brief(effect), `${status} × ${index}`).to.equal(cells[index])
      }
    })
  }

  for (const status of verificationStatuses) {
    it(`never changes what was completed as ${status}`, () => {
      const completed = { ...fresh, status, completedAt: earlier, confidence: 1 }
      const conclusions: Record<string, VerificationStatus> = {
        approved: 'approved',
        declined: 'denied',
        expired: 'rejected',
        abandoned: 'rejected',
      }
      for (const report of words) {
        const word = report.by === 'provider' ? report.result.outcome : report.outcome
        const contradicting = conclusions[word]
        const expected =
          contradicting === undefined || contradicting === status
            ? { kind: 'none' }
            : {
                kind: 'contradicted',
                status: contradicting,
                revokesToken: word === 'declined' && status === 'approved',
              }
        expect(apply(report, completed), word).to.deep.equal(expected)
      }
    })
  }

  it('does not touch the state that it was asked about', () => {
    const state = Object.freeze({ ...fresh, pastAttemptIds: Object.freeze(['a']) as string[] })
    for (const report of words) apply(report, state)
    expect(state.status).to.equal('pending')
  })
})

describe('attempts within a session', () => {
  const repeated = moved(byProvider('resubmission_requested', { attemptId: 'first', decidedAt: earlier }), {
    ...fresh,
    status: 'submitted',
    attemptId: 'first',
  })

  it('remembers the attempt that has to be repeated', () => {
    expect(repeated).to.include({ status: 'resubmission', attemptId: 'first', completedAt: null })
    expect(repeated.pastAttemptIds).to.deep.equal(['first'])
  })

  it('ignores what still arrives from an attempt that has to be repeated', () => {
    for (const outcome of ['started', 'submitted', 'review', 'resubmission_requested'] as const) {
      const late = byProvider(outcome, { attemptId: 'first', decidedAt: later })
      expect(apply(late, repeated), outcome).to.deep.equal({ kind: 'none' })
      const onceMore = moved(byProvider('submitted', { attemptId: 'second' }), repeated)
      expect(apply(late, onceMore), outcome).to.deep.equal({ kind: 'none' })
    }
  })

  it('goes on with a new attempt, and counts its decision', () => {
    const started = moved(byProvider('started', { attemptId: 'second' }), repeated)
    expect(started).to.include({ status: 'started', attemptId: 'second' })
    const submitted = moved(byProvider('submitted', { attemptId: 'second' }), started)
    const again = moved(
      byProvider('resubmission_requested', { attemptId: 'second', decidedAt: now }),
      submitted,
    )
    expect(again.status).to.equal('resubmission')
    expect(again.pastAttemptIds).to.deep.equal(['first', 'second'])
    const approved = moved(byProvider('approved', { attemptId: 'third', decidedAt: later }), again)
    expect(approved).to.include({ status: 'approved', attemptId: 'third', completedAt: now })
  })

  it('lets an approval or refusal of the same attempt count after resubmission', () => {
    for (const [outcome, status] of [
      ['approved', 'approved'],
      ['declined', 'denied'],
    ] as const) {
      const concluded = moved(byProvider(outcome, { attemptId: 'first', decidedAt: now }), repeated)
      expect(concluded).to.include({ status, completedAt: now })
    }
  })

  it('takes a result without an attempt for old after resubmission, unless it concludes', () => {
    for (const outcome of ['started', 'submitted', 'review'] as const) {
      expect(apply(byProvider(outcome), repeated), outcome).to.deep.equal({ kind: 'none' })
    }
    expect(moved(byProvider('approved'), repeated).status).to.equal('approved')
  })

  it('moves on when the tenant says that its user came back, and not back by a repeated request', () => {
    const back = moved(returned, repeated)
    expect(back).to.include({ status: 'submitted', attemptId: 'first' })
    const repeat = byProvider('resubmission_requested', { attemptId: 'first', decidedAt: earlier })
    expect(apply(repeat, back)).to.deep.equal({ kind: 'none' })
    const unnamed = byProvider('resubmission_requested', { decidedAt: earlier })
    expect(apply(unnamed, back)).to.deep.equal({ kind: 'none' })
    expect(apply(byProvider('resubmission_requested'), back)).to.deep.equal({ kind: 'none' })
    const news = byProvider('resubmission_requested', { decidedAt: later })
    expect(moved(news, back).status).to.equal('resubmission')
  })

  it('ignores decisions that were made before the one that counts', () => {
    const old = byProvider('review', { attemptId: 'other', decidedAt: new Date(earlier.getTime() - 1) })
    expect(apply(old, repeated)).to.deep.equal({ kind: 'none' })
    const unnamed = byProvider('review', { decidedAt: new Date(earlier.getTime() - 1) })
    const started = moved(byProvider('started', { attemptId: 'second' }), repeated)
    expect(apply(unnamed, started)).to.deep.equal({ kind: 'none' })
  })

  it('takes a request to repeat that names neither attempt nor time for the same one when it comes twice', () => {
    const bare = byProvider('resubmission_requested')
    const once = moved(bare, { ...fresh, status: 'submitted' })
    expect(once.status).to.equal('resubmission')
    expect(apply(bare, once)).to.deep.equal({ kind: 'none' })
  })

  it('knows an attempt that another has followed for a past one', () => {
    const first = moved(byProvider('submitted', { attemptId: 'first' }), fresh)
    const second = moved(
      byProvider('resubmission_requested', { attemptId: 'second', decidedAt: earlier }),
      first,
    )
    expect(second.pastAttemptIds).to.have.members(['first', 'second'])
    expect(apply(byProvider('submitted', { attemptId: 'first' }), second)).to.deep.equal({ kind: 'none' })
    const third = moved(byProvider('started', { attemptId: 'third' }), second)
    expect(apply(byProvider('started', { attemptId: 'first' }), third)).to.deep.equal({ kind: 'none' })
  })
})

describe('what a completion says', () => {
  const open = { ...fresh, status: 'submitted' } as const

  it('carries the score of the provider, held within 0 and 1', () => {
    for (const [score, confidence] of [
      [0.82, 0.82],
      [0, 0],
      [1, 1],
      [-3, 0],
      [97, 1],
      [Number.MAX_VALUE, 1],
    ] as const) {
      for (const outcome of ['approved', 'declined', 'expired'] as const) {
        expect(moved(byProvider(outcome, { score }), open).confidence, `${score}`).to.equal(confidence)
      }
    }
  })

  it('counts a decision without a score as its own', () => {
    expect(moved(byProvider('approved'), open).confidence).to.equal(1)
    for (const outcome of ['declined', 'expired', 'abandoned'] as const) {
      expect(moved(byProvider(outcome), open).confidence, outcome).to.equal(0)
    }
    expect(moved(lifetimeOver, open).confidence).to.equal(0)
  })

  it('has neither confidence nor age nor time while it is open', () => {
    const scored: Partial<ProviderResult> = { score: 0.4, over18: true, attemptId: 'a', decidedAt: earlier }
    for (const outcome of ['review', 'resubmission_requested'] as const) {
      const state = moved(byProvider(outcome, scored), { ...fresh, status: 'started' })
      expect(state).to.include({ confidence: null, over18: null, completedAt: null })
      expect(state.decidedAt).to.deep.equal(earlier)
    }
  })

  it('keeps the age of approved persons only, as it was judged', () => {
    for (const over18 of [true, false, null]) {
      expect(moved(byProvider('approved', { over18 }), open).over18).to.equal(over18)
      expect(moved(byProvider('declined', { over18 }), open).over18).to.equal(null)
    }
  })

  it('is timed by the service, not by the provider', () => {
    const approved = moved(byProvider('approved', { decidedAt: earlier }), open)
    expect(approved.completedAt).to.deep.equal(now)
    expect(approved.decidedAt).to.deep.equal(earlier)
  })
})

function apply(report: VerificationTrigger, state: VerificationState): Effect {
  return effectOf(report, state, now)
}

function moved(report: VerificationTrigger, state: VerificationState): VerificationState {
  const effect = apply(report, state)
  if (effect.kind !== 'moved') return expect.fail(`it did not move, but: ${effect.kind}`)
  return effect.state
}

function brief(effect: Effect): string {
  if (effect.kind !== 'moved') return '-'
  const { status, completedAt } = effect.state
  expect(completedAt === null || completedAt === now).to.equal(true)
  return completedAt ? `${status}!` : status
}
