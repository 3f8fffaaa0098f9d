import { expect } from 'chai'
import fc from 'fast-check'
import { type ProviderOutcome, providerOutcomes } from '#domain/provider-result.ts'
import {
  decideEffect,
  type VerificationState,
  type VerificationTrigger,
} from '#domain/verification/verification.policy.ts'
import { byProvider, fresh, lifetimeOver } from './triggers.ts'

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
      { numRuns: 500 },
    )
  })

  it('end in exactly one completion once the lifetime is over', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 25 }), triggers => {
        const last = live([...triggers, lifetimeOver]).at(-1)
        expect(last?.completedAt).not.to.equal(null)
        expect(last?.status).to.be.oneOf(['approved', 'denied', 'resubmission', 'submitted', 'rejected'])
      }),
      { numRuns: 300 },
    )
  })

  it('never move a verification back, except for a new attempt, or a newer decision, after resubmission', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 25 }), triggers => {
        const states = live(triggers)
        for (const [index, trigger] of triggers.entries()) {
          const [before, after] = [states[index]!, states[index + 1]!]
          if (before === after || after.completedAt !== null) continue
          if (trigger.by !== 'provider' || progress[after.status]! > progress[before.status]!) continue
          const { attemptId, decidedAt } = trigger.result
          const isNewer = decidedAt !== null && before.decidedAt !== null && decidedAt > before.decidedAt
          if (before.status !== 'resubmission') expect(after.status).to.equal(before.status)
          if (!isNewer) expect(before.pastAttemptIds).not.to.include(attemptId)
        }
      }),
      { numRuns: 500 },
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
      { numRuns: 500 },
    )
  })
})

/** What a provider reports of one session, in its order: attempts that have to be repeated, and a conclusion of the last one. */
const session = fc
  .record({
    repeated: fc.array(fc.record({ isReviewed: fc.boolean(), isAsked: fc.boolean() }), { maxLength: 3 }),
    conclusion: fc.constantFrom('approved', 'declined', 'expired', 'abandoned'),
  })
  .map(({ repeated, conclusion }) => {
    const attempts = repeated.map(({ isReviewed, isAsked }, number) => [
      report('started', number),
      report('submitted', number),
      ...(isReviewed ? [report('review', number, 2 * number + 1)] : []),
      // Not sent if the user repeats the attempt within minutes.
      ...(isAsked ? [report('resubmission_requested', number, 2 * number + 2)] : []),
    ])
    const last = repeated.length
    const events = [...attempts.flat(), report('started', last), report('submitted', last)]
    return { events, conclusion: report(conclusion, last, 2 * last + 1) }
  })

function report(outcome: ProviderOutcome, attempt: number, minute?: number): VerificationTrigger {
  return byProvider(outcome, {
    attemptId: `attempt ${attempt}`,
    ...(minute !== undefined && { decidedAt: timeOf(minute) }),
  })
}

describe('The results of a session', () => {
  it('end in its conclusion, in any order and however often they arrive', () => {
    const delivered = session.chain(({ events, conclusion }) =>
      fc.record({
        conclusion: fc.constant(conclusion),
        others: fc.array(fc.constantFrom(...events), { maxLength: 30 }),
      }),
    )
    fc.assert(
      fc.property(delivered, fc.nat(), ({ conclusion, others }, position) => {
        const at = position % (others.length + 1)
        // A poll finds it once more.
        const states = live([...others.slice(0, at), conclusion, ...others.slice(at), conclusion])
        expect(states.at(-1)).to.include({ status: live([conclusion]).at(-1)?.status })
      }),
      { numRuns: 500 },
    )
  })

  it('never ask again for an attempt that was repeated, however late they arrive', () => {
    const delays = fc.array(fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 })), {
      minLength: 20,
      maxLength: 20,
    })
    fc.assert(
      fc.property(session, delays, ({ events }, late) => {
        const order = events.flatMap((trigger, index) => {
          const [delay, repeatedAfter] = late[index]!
          const isDecision = trigger.by === 'provider' && trigger.result.decidedAt !== null
          return [
            { trigger, at: index + (isDecision ? delay : 0) },
            { trigger, at: index + repeatedAfter },
          ]
        })
        const triggers = order.toSorted((one, other) => one.at - other.at).map(({ trigger }) => trigger)
        const last = events.at(-1)!
        const attemptId = last.by === 'provider' ? last.result.attemptId : null
        expect(live(triggers).at(-1)).to.include({ status: 'submitted', attemptId })
      }),
      { numRuns: 500 },
    )
  })

  it('revoke no token of an approval that a late decline of an earlier attempt, or of an earlier time, contradicts', () => {
    fc.assert(
      fc.property(
        session,
        fc.nat({ max: 3 }),
        fc.option(fc.nat()),
        ({ events, conclusion }, number, minute) => {
          const approved = live([...events, conclusion]).at(-1)!
          fc.pre(approved.status === 'approved' && approved.decidedAt !== null)
          const isPast = approved.pastAttemptIds.includes(`attempt ${number}`)
          const isOlder = minute !== null && timeOf(minute) < approved.decidedAt!
          const effect = decideEffect(report('declined', number, minute ?? undefined), approved, timeOf(99))
          expect(effect).to.include({ kind: 'contradicted', revokesToken: !isPast && !isOlder })
        },
      ),
      { numRuns: 500 },
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
