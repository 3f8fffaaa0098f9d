import { expect } from 'chai'
import { faultsNamed } from '../chaos/faults/all-faults.ts'
import { lanes } from '../chaos/faults/fault.ts'
import { planRandomly } from '../chaos/plan.ts'

const options = { seed: 1, perLane: 2, pace: 1, faults: faultsNamed([]) }

/** The plan as text. */
function planned(round: number, changes: Partial<typeof options> = {}): string {
  return JSON.stringify([...planRandomly({ ...options, ...changes })(round)])
}

describe('The plan of faults', () => {
  it('is the same for the same seed and round, and another for others', () => {
    expect(planned(3)).to.equal(planned(3))
    expect(new Set([planned(3), planned(4), planned(3, { seed: 2 })])).to.have.length(3)
  })

  it('has two faults of each lane in a round, and in many rounds every kind', () => {
    const rounds = Array.from({ length: 100 }, (_, round) => planRandomly(options)(round))
    for (const round of rounds) {
      expect([...round.keys()]).to.deep.equal([...lanes])
      expect([...round.values()].map(faults => faults.length)).to.deep.equal(lanes.map(() => 2))
    }
    const kinds = new Set(rounds.flatMap(round => [...round.values()].flat().map(({ fault }) => fault)))
    expect(kinds.size).to.equal(options.faults.length)
  })
})
