import { expect } from 'chai'
import { workInTurns } from '#domain/fairness/work-in-turns.ts'

describe('Work that is spread over turns of the event loop', () => {
  for (const perTurn of [1, 3]) {
    it(`is done ${perTurn} at a time, in order`, async () => {
      const turn = workInTurns(perTurn)
      const doneIn: number[] = []
      let turns = 0
      const working = Promise.all(Array.from({ length: 6 }, () => turn().then(() => doneIn.push(turns))))
      for (; doneIn.length < 6; turns++) await new Promise(setImmediate)
      await working
      const sizes = [...Map.groupBy(doneIn, one => one).values()].map(({ length }) => length)
      expect(sizes).to.deep.equal(Array(6 / perTurn).fill(perTurn))
    })
  }
})
