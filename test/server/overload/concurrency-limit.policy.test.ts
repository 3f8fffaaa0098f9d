import { expect } from 'chai'
import {
  type ConcurrencyLimit,
  limitMin,
  nextConcurrencyLimit,
  type StepMeasures,
  unlimited,
} from '#server/overload/concurrency-limit.policy.ts'

const stepsPerSecond = 20
const calm: StepMeasures = { pressure: 0.2, inFlight: 10, rejected: 0 }

function limitAfter(
  seconds: number,
  measures: Partial<StepMeasures>,
  from: ConcurrencyLimit = unlimited,
): ConcurrencyLimit {
  return Array.from({ length: seconds * stepsPerSecond }).reduce<ConcurrencyLimit>(
    limit => nextConcurrencyLimit(limit, { ...calm, ...measures }),
    from,
  )
}

describe('The limit on requests in flight', () => {
  it('does not exist while the delay is acceptable, however many requests there are', () => {
    expect(limitAfter(60, { pressure: 1, inFlight: 1_000 })).to.equal(unlimited)
  })

  it('does not exist while few requests are served, however long the delay is', () => {
    expect(limitAfter(60, { pressure: 50, inFlight: limitMin })).to.equal(unlimited)
  })

  it('begins in the first step with a long delay, below what is in flight', () => {
    expect(nextConcurrencyLimit(unlimited, { ...calm, pressure: 1.1, inFlight: 500 }).requests).to.equal(60)
  })

  it('begins as soon as a request is rejected', () => {
    expect(nextConcurrencyLimit(unlimited, { ...calm, inFlight: 50, rejected: 1 }).requests).to.equal(50)
  })

  it('shrinks within half a second to the minimum while the delay is too long, and never below it', () => {
    const wide: ConcurrencyLimit = { requests: 100, quietSteps: 0 }
    expect(limitAfter(0.5, { pressure: 1.5, rejected: 100 }, wide).requests).to.equal(limitMin)
    expect(limitAfter(600, { pressure: 50, rejected: 100 }, wide).requests).to.equal(limitMin)
  })

  it('grows by 40 a second while it rejects requests that could be served', () => {
    const narrow: ConcurrencyLimit = { requests: 40, quietSteps: 0 }
    expect(limitAfter(1, { rejected: 5 }, narrow).requests).to.equal(80)
  })

  it('stays while nothing is rejected, and ends after a second of that', () => {
    const limited: ConcurrencyLimit = { requests: 70, quietSteps: 0 }
    expect(limitAfter(1, {}, limited).requests).to.equal(70)
    expect(limitAfter(1.05, {}, limited)).to.equal(unlimited)
  })

  it('does not end while something is rejected every now and then', () => {
    const limited = limitAfter(0.9, {}, { requests: 70, quietSteps: 0 })
    const rejecting = nextConcurrencyLimit(limited, { ...calm, rejected: 1 })
    expect(limitAfter(0.9, {}, rejecting).requests).to.equal(72)
  })
})
