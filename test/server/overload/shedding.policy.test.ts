import { expect } from 'chai'
import {
  nextSheddingState,
  noShedding,
  probabilityMax,
  type SheddingState,
} from '#server/overload/shedding.policy.ts'

const stepsPerSecond = 20

function stateAfter(seconds: number, pressure: number, from: SheddingState = noShedding): SheddingState {
  return Array.from({ length: seconds * stepsPerSecond }).reduce<SheddingState>(
    state => nextSheddingState(state, pressure),
    from,
  )
}

describe('The shedding of load', () => {
  it('does not begin while the delay is acceptable', () => {
    expect(stateAfter(60, 0.9).probability).to.equal(0)
  })

  it('rises within two seconds to nearly all requests while the delay is three times the acceptable one', () => {
    expect(stateAfter(2, 3).probability).to.be.above(0.9)
  })

  it('never sheds all requests, so that the end of the overload is noticed', () => {
    expect(stateAfter(600, 1_000).probability).to.equal(probabilityMax)
  })

  it('keeps its share while the delay is the acceptable one', () => {
    const balanced = { probability: 0.8, pressure: 1 }
    expect(nextSheddingState(balanced, 1)).to.deep.equal(balanced)
  })

  it('ends within five seconds after the longest and worst overload', () => {
    const overloaded = stateAfter(3_600, 1_000)
    expect(stateAfter(5, 0.1, overloaded).probability).to.equal(0)
  })

  it('counts a single long delay once: a second later, all requests are served', () => {
    const paused = nextSheddingState(noShedding, 50)
    expect(paused.probability).to.be.below(0.6)
    expect(stateAfter(1, 0.1, paused).probability).to.equal(0)
  })
})
