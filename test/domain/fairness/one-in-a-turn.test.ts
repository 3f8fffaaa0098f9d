import { expect } from 'chai'
import { oneInATurn } from '#domain/fairness/one-in-a-turn.ts'

describe('Work of milliseconds', () => {
  it('is done once in a turn of the event loop', async () => {
    const turn = oneInATurn()
    const doneIn: number[] = []
    let turns = 0
    const working = Promise.all([1, 2, 3].map(() => turn().then(() => doneIn.push(turns))))
    for (; doneIn.length < 3; turns++) await new Promise(setImmediate)
    await working
    expect(new Set(doneIn).size).to.equal(3)
  })
})
