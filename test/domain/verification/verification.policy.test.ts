import { expect } from 'chai'
import type { ProviderResult } from '#domain/provider-result.ts'
import {
  decideEffect,
  type Effect,
  type VerificationState,
  type VerificationTrigger,
} from '#domain/verification/verification.policy.ts'
import { type VerificationStatus, verificationStatuses } from '#domain/verification-status.ts'
import { byProvider, fresh, lifetimeOver, triggers } from './triggers.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const earlier = new Date('2026-11-20T11:00:00.000Z')
const later = new Date('2026-11-20T13:00:00.000Z')

/** One row a status, one column a trigger in the order of `triggers`: `-` nothing, `!` completes. */
const table = `
              started  submitted  review     resubmission  approved   declined  expired    abandoned  lifetime
pending       started  submitted  submitted  resubmission  approved!  denied!   rejected!  rejected!  rejected!
started       -        submitted  submitted  resubmission  approved!  denied!   rejected!  rejected!  rejected!
submitted     -        -          -          resubmission  approved!  denied!   rejected!  rejected!  submitted!
resubmission  started  submitted  submitted  resubmission  approved!  denied!   rejected!  rejected!  resubmission!
`

const rows = table
  .trim()
  .split('\n')
  .slice(1)
  .map(line => line.trim().split(/\s+/) as [VerificationStatus, ...string[]])

describe('The transitions of a verification', () => {
  for (const [status, ...cells] of rows) {
    it(`leave ${status} as the table says, for every trigger`, () => {
      for (const [index, trigger] of triggers.entries()) {
        const effect = apply(trigger, { ...fresh, status, attemptId: 'first' })
        expect(brief(effect), `${status} × ${index}`).to.equal(cells[index])
      }
    })
  }

  for (const status of verificationStatuses) {
    it(`never change a verification that was completed as ${status}`, () => {
      const completed = { ...fresh, status, completedAt: earlier, confidence: 1 }
      const conclusions: Record<string, VerificationStatus> = {
        approved: 'approved',
        declined: 'denied',
        expired: 'rejected',
        abandoned: 'rejected',
      }
      for (const trigger of triggers) {
        const outcome = trigger.by === 'provider' ? trigger.result.outcome : trigger.outcome
        const contradicting = conclusions[outcome]
        const revokesToken = outcome === 'declined' && status === 'approved'
        const expected =
          contradicting === undefined
            ? { kind: 'unchanged', reason: 'completed' }
            : contradicting === status
              ? { kind: 'unchanged', reason: 'repeated' }
              : { kind: 'contradicted', status: contradicting, revokesToken }
        expect(apply(trigger, completed), outcome).to.deep.equal(expected)
      }
    })
  }

  it('do not modify the state that they are computed from', () => {
    const state = Object.freeze({ ...fresh, pastAttemptIds: Object.freeze(['a']) as string[] })
    for (const trigger of triggers) apply(trigger, state)
    expect(state.status).to.equal('pending')
  })
})

const outOfDate = { kind: 'unchanged', reason: 'out_of_date' }

describe('Attempts within a session', () => {
  const repeated = moved(byProvider('resubmission_requested', { attemptId: 'first', decidedAt: earlier }), {
    ...fresh,
    status: 'submitted',
    attemptId: 'first',
  })

  it('include the attempt that has to be repeated in the past ones', () => {
    expect(repeated).to.include({ status: 'resubmission', attemptId: 'first', completedAt: null })
    expect(repeated.pastAttemptIds).to.deep.equal(['first'])
  })

  it('have no further effect once they have to be repeated', () => {
    for (const outcome of ['started', 'submitted', 'review', 'resubmission_requested'] as const) {
      for (const decidedAt of [null, earlier]) {
        const late = byProvider(outcome, { attemptId: 'first', decidedAt })
        expect(apply(late, repeated), outcome).to.deep.equal(outOfDate)
      }
      const onceMore = moved(byProvider('submitted', { attemptId: 'second' }), repeated)
      const late = byProvider(outcome, { attemptId: 'first', decidedAt: later })
      expect(apply(late, onceMore), outcome).to.deep.equal(outOfDate)
    }
  })

  it('are decided by the newest decision, also if that is a review after a resubmission request', () => {
    const reviewed = moved(byProvider('review', { attemptId: 'first', decidedAt: now }), repeated)
    expect(reviewed).to.include({ status: 'submitted', attemptId: 'first', decidedAt: now })
    const repeat = byProvider('resubmission_requested', { attemptId: 'first', decidedAt: earlier })
    expect(apply(repeat, reviewed)).to.deep.equal(outOfDate)
    const again = byProvider('resubmission_requested', { attemptId: 'first', decidedAt: later })
    expect(moved(again, reviewed).status).to.equal('resubmission')
  })

  it('are known from every result, also from one that leaves the status', () => {
    const submitted = moved(byProvider('submitted', { attemptId: 'first' }), fresh)
    for (const outcome of ['started', 'submitted', 'review'] as const) {
      const next = moved(byProvider(outcome, { attemptId: 'second' }), submitted)
      expect(next, outcome).to.include({ status: 'submitted', attemptId: 'second', completedAt: null })
      expect(next.pastAttemptIds, outcome).to.deep.equal(['first'])
      for (const decidedAt of [null, earlier, later]) {
        const late = byProvider('resubmission_requested', { attemptId: 'first', decidedAt })
        expect(apply(late, next), outcome).to.deep.equal(outOfDate)
      }
      expect(apply(byProvider(outcome, { attemptId: 'second' }), next).kind, outcome).to.equal('unchanged')
    }
  })

  it('conclude a verification, unless a newer decision is known', () => {
    const reviewed = moved(byProvider('review', { attemptId: 'second', decidedAt: now }), repeated)
    const rows: [attemptId: string | null, decidedAt: Date | null, counts: boolean][] = [
      ['second', earlier, true],
      ['second', null, true],
      ['first', later, true],
      ['first', null, true],
      ['first', earlier, false],
      ['first', now, false],
      ['third', now, true],
      ['third', earlier, false],
      [null, null, true],
      [null, earlier, false],
    ]
    for (const outcome of ['approved', 'declined', 'expired', 'abandoned'] as const) {
      for (const [attemptId, decidedAt, counts] of rows) {
        const effect = apply(byProvider(outcome, { attemptId, decidedAt }), reviewed)
        expect(effect.kind, `${outcome} ${attemptId} ${decidedAt}`).to.equal(counts ? 'applied' : 'unchanged')
      }
    }
  })

  it('are superseded by a new one, whose decision counts', () => {
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

  it('can still be approved or declined after resubmission', () => {
    for (const [outcome, status] of [
      ['approved', 'approved'],
      ['declined', 'denied'],
    ] as const) {
      const concluded = moved(byProvider(outcome, { attemptId: 'first', decidedAt: now }), repeated)
      expect(concluded).to.include({ status, completedAt: now })
    }
  })

  it('that a result does not name make it stale after resubmission, unless it completes the verification', () => {
    for (const outcome of ['started', 'submitted', 'review'] as const) {
      expect(apply(byProvider(outcome), repeated), outcome).to.deep.equal(outOfDate)
    }
    expect(moved(byProvider('review', { decidedAt: later }), repeated).status).to.equal('submitted')
    expect(moved(byProvider('approved'), repeated).status).to.equal('approved')
  })

  it('are not moved back by a repeated resubmission request once there is a new one', () => {
    const back = moved(byProvider('submitted', { attemptId: 'second' }), repeated)
    expect(back).to.include({ status: 'submitted', attemptId: 'second' })
    const repeat = byProvider('resubmission_requested', { attemptId: 'first', decidedAt: earlier })
    expect(apply(repeat, back)).to.deep.equal(outOfDate)
    const unnamed = byProvider('resubmission_requested', { decidedAt: earlier })
    expect(apply(unnamed, back)).to.deep.equal(outOfDate)
    expect(apply(byProvider('resubmission_requested'), back)).to.deep.equal(outOfDate)
    const news = byProvider('resubmission_requested', { decidedAt: later })
    expect(moved(news, back).status).to.equal('resubmission')
  })

  it('are not affected by decisions older than the one that counts', () => {
    const old = byProvider('review', { attemptId: 'other', decidedAt: new Date(earlier.getTime() - 1) })
    expect(apply(old, repeated)).to.deep.equal(outOfDate)
    const unnamed = byProvider('review', { decidedAt: new Date(earlier.getTime() - 1) })
    const started = moved(byProvider('started', { attemptId: 'second' }), repeated)
    expect(apply(unnamed, started)).to.deep.equal(outOfDate)
  })

  it('that a repeated resubmission request does not name, without a time, make it a duplicate', () => {
    const bare = byProvider('resubmission_requested')
    const once = moved(bare, { ...fresh, status: 'submitted' })
    expect(once.status).to.equal('resubmission')
    expect(apply(bare, once)).to.deep.equal(outOfDate)
  })

  it('become past ones when another follows', () => {
    const first = moved(byProvider('submitted', { attemptId: 'first' }), fresh)
    const second = moved(
      byProvider('resubmission_requested', { attemptId: 'second', decidedAt: earlier }),
      first,
    )
    expect(second.pastAttemptIds).to.have.members(['first', 'second'])
    expect(apply(byProvider('submitted', { attemptId: 'first' }), second)).to.deep.equal(outOfDate)
    const third = moved(byProvider('started', { attemptId: 'third' }), second)
    expect(apply(byProvider('started', { attemptId: 'first' }), third)).to.deep.equal(outOfDate)
  })
})

describe('A decline after an approval', () => {
  const second = moved(byProvider('submitted', { attemptId: 'second' }), {
    ...fresh,
    status: 'submitted',
    attemptId: 'first',
  })
  const approved = moved(byProvider('approved', { attemptId: 'second', decidedAt: now }), second)
  const rows: [attemptId: string | null, decidedAt: Date | null, revokesToken: boolean][] = [
    ['second', later, true],
    ['second', now, true],
    ['second', null, true],
    ['second', earlier, false],
    ['third', later, true],
    ['third', null, true],
    ['third', earlier, false],
    ['first', later, false],
    ['first', null, false],
    ['first', earlier, false],
    [null, later, true],
    [null, null, true],
    [null, earlier, false],
  ]
  for (const [attemptId, decidedAt, revokesToken] of rows) {
    const which = `${attemptId ?? 'no'} attempt, at ${decidedAt?.toISOString() ?? 'no time'}`
    it(`is recorded, and ${revokesToken ? 'revokes the token' : 'leaves the token'}: of the ${which}`, () => {
      const effect = apply(byProvider('declined', { attemptId, decidedAt }), approved)
      expect(effect).to.deep.equal({ kind: 'contradicted', status: 'denied', revokesToken })
    })
  }
})

describe('An approval after an approval', () => {
  const approve = (over18: boolean | null, decidedAt: Date | null, attemptId: string | null = 'first') =>
    byProvider('approved', { over18, decidedAt, attemptId })
  const adult = moved(approve(true, now), { ...fresh, status: 'submitted', attemptId: 'first' })
  const recorded = (revokesToken: boolean) => ({ kind: 'contradicted', status: 'approved', revokesToken })
  const repeated = { kind: 'unchanged', reason: 'repeated' }

  it('revokes the token if it is newer, or of no known time, and proves 18 no longer', () => {
    for (const over18 of [false, null])
      for (const time of [later, null])
        expect(apply(approve(over18, time), adult)).to.deep.equal(recorded(true))
    expect(apply(approve(false, later, 'second'), adult)).to.deep.equal(recorded(true))
    expect(apply(approve(false, now), adult)).to.deep.equal(recorded(true))
  })

  it('is recorded, and changes nothing, if it is older or of a past attempt', () => {
    expect(apply(approve(false, earlier), adult)).to.deep.equal(recorded(false))
    const second = { ...adult, attemptId: 'second', pastAttemptIds: ['first'] }
    expect(apply(approve(false, later), second)).to.deep.equal(recorded(false))
  })

  it('is a repetition if it says the same, or is the same decision without its person', () => {
    for (const time of [earlier, now, later, null])
      expect(apply(approve(true, time), adult)).to.deep.equal(repeated)
    expect(apply(approve(null, now), adult)).to.deep.equal(repeated)
  })

  it('makes an adult of nobody', () => {
    for (const over18 of [false, null]) {
      const refused = { ...adult, over18 }
      expect(apply(approve(true, later), refused)).to.deep.equal(recorded(false))
    }
    for (const status of ['denied', 'rejected'] as const) {
      expect(apply(approve(true, later), { ...adult, status, over18: null })).to.deep.equal(recorded(false))
    }
  })
})

describe('A completion', () => {
  const open = { ...fresh, status: 'submitted' } as const

  it('carries the score of the provider, limited to 0 to 1', () => {
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

  it('has confidence 1 for an approval without a score, and else 0', () => {
    expect(moved(byProvider('approved'), open).confidence).to.equal(1)
    for (const outcome of ['declined', 'expired', 'abandoned'] as const) {
      expect(moved(byProvider(outcome), open).confidence, outcome).to.equal(0)
    }
    expect(moved(lifetimeOver, open).confidence).to.equal(0)
  })

  it('is required for confidence, age and time', () => {
    const scored: Partial<ProviderResult> = { score: 0.4, over18: true, attemptId: 'a', decidedAt: earlier }
    for (const outcome of ['review', 'resubmission_requested'] as const) {
      const state = moved(byProvider(outcome, scored), { ...fresh, status: 'started' })
      expect(state).to.include({ confidence: null, over18: null, completedAt: null })
      expect(state.decidedAt).to.deep.equal(earlier)
    }
  })

  it('stores the age result of approved persons only', () => {
    for (const over18 of [true, false, null]) {
      expect(moved(byProvider('approved', { over18 }), open).over18).to.equal(over18)
      expect(moved(byProvider('declined', { over18 }), open).over18).to.equal(null)
    }
  })

  it('has the time of the service, not of the provider', () => {
    const approved = moved(byProvider('approved', { decidedAt: earlier }), open)
    expect(approved.completedAt).to.deep.equal(now)
    expect(approved.decidedAt).to.deep.equal(earlier)
  })
})

function apply(trigger: VerificationTrigger, state: VerificationState): Effect {
  return decideEffect(trigger, state, now)
}

function moved(trigger: VerificationTrigger, state: VerificationState): VerificationState {
  const effect = apply(trigger, state)
  if (effect.kind !== 'applied') return expect.fail(`it did not move, but: ${effect.kind}`)
  return effect.state
}

function brief(effect: Effect): string {
  if (effect.kind !== 'applied') return '-'
  const { status, completedAt } = effect.state
  expect(completedAt === null || completedAt === now).to.equal(true)
  return completedAt ? `${status}!` : status
}
