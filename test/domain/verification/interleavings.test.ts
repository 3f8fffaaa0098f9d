import { expect } from 'chai'
import fc from 'fast-check'
import { providerOutcomes } from '#domain/provider-result.ts'
import {
  decideEffect,
  type VerificationState,
  type VerificationTrigger,
} from '#domain/verification/verification.policy.ts'
import { byProvider, fresh, lifetimeOver, returned } from './triggers.ts'

const start = new Date('2026-11-20T12:00:00.000Z').getTime()
const timeOf = (minute: number) => new Date(start + minute * 60_000)

const named = fc
  .record({
    outcome: fc.constantFrom(...providerOutcomes),
    attemptId: fc.constantFrom('first', 'second', 'third'),
    minute: fc.integer({ min: 0, max: 9 }),
    score: fc.option(fc.double({ noNaN: true, min: -2, max: 2 })),
    over18: fc.option(fc.boolean()),
  })
  .map(({ outcome, attemptId, minute, score, over18 }) => {
    const isEvent = outcome === 'started' || outcome === 'submitted'
    return byProvider(outcome, { attemptId, ...(!isEvent && { score, over18, decidedAt: timeOf(minute) }) })
  })
const unnamed = fc
  .constantFrom(...providerOutcomes)
  .map(outcome => byProvider(outcome, { decidedAt: timeOf(5) }))
const anyReport = fc.oneof(
  { weight: 6, arbitrary: named },
  { weight: 1, arbitrary: unnamed },
  { weight: 1, arbitrary: fc.constant(returned) },
  { weight: 1, arbitrary: fc.constant(lifetimeOver) },
)

/** How far a verification has come within one attempt. */
const progress = { pending: 0, started: 1, submitted: 2, resubmission: 3 } as Record<string, number>

describe('Triggers in any order', () => {
  it('lead to at most one completion, which then stays unchanged', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 25 }), triggers => {
        const states = live(triggers)
        const completed = states.filter(state => state.completedAt !== null)
        expect(new Set(completed).size).to.be.at.most(1)
        for (const { status, confidence, over18 } of completed) {
          expect(status).not.to.be.oneOf(['pending', 'started'])
          expect(confidence).to.be.within(0, 1)
          if (status !== 'approved') expect(over18).to.equal(null)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('end in exactly one completion once the lifetime is over', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 25 }), triggers => {
        const last = live([...triggers, lifetimeOver]).at(-1)
        expect(last?.completedAt).not.to.equal(null)
        expect(last?.status).to.be.oneOf(['approved', 'denied', 'resubmission', 'submitted', 'rejected'])
      }),
      { numRuns: 1_000 },
    )
  })

  it('never move a verification back, except for a new attempt after resubmission', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 25 }), triggers => {
        const states = live(triggers)
        for (const [index, trigger] of triggers.entries()) {
          const [before, after] = [states[index]!, states[index + 1]!]
          if (before === after || after.completedAt !== null) continue
          if (progress[after.status]! > progress[before.status]!) continue
          expect(before.status).to.equal('resubmission')
          if (trigger.by === 'provider')
            expect(before.pastAttemptIds).not.to.include(trigger.result.attemptId)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('have no effect when they are repeated, immediately or later', () => {
    fc.assert(
      fc.property(fc.array(named, { maxLength: 20 }), fc.nat(), fc.nat(), (triggers, first, second) => {
        const states = live(triggers)
        const state = states[Math.max(first, second) % states.length]!
        const applied = triggers.filter((_, index) => states[index] !== states[index + 1])
        const earlier = applied.slice(0, applied.indexOf(triggers[states.indexOf(state) - 1]!) + 1)
        for (const trigger of earlier) {
          expect(decideEffect(trigger, state, timeOf(99)).kind).not.to.equal('applied')
        }
      }),
      { numRuns: 3_000 },
    )
  })
})

/** The states that the triggers lead through; a trigger without effect gives the very same state again. */
function live(triggers: readonly VerificationTrigger[]): VerificationState[] {
  const states: VerificationState[] = [fresh]
  for (const [index, trigger] of triggers.entries()) {
    const state = states.at(-1)!
    const effect = decideEffect(trigger, state, timeOf(index))
    states.push(effect.kind === 'applied' ? effect.state : state)
  }
  return states
}
