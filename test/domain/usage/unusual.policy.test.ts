import { expect } from 'chai'
import { type Comparison, compareAmount, compareRate } from '#domain/usage/unusual.policy.ts'

/** Four days of the same weekday. */
const four = (part: number, whole: number) => Array.from({ length: 4 }, () => ({ part, whole }))

function verdictOf(compared: Comparison | undefined): string {
  if (!compared) return 'unknown'
  const { value, low, high } = compared
  return value < low ? 'low' : value > high ? 'high' : 'normal'
}

describe('what is unusual about a day', () => {
  for (const [title, day, before, verdict] of [
    ['a rate as on the days before', { part: 90, whole: 100 }, four(90, 100), 'normal'],
    ['a rate that a day of its size has by chance', { part: 84, whole: 100 }, four(90, 100), 'normal'],
    ['a rate that it has not', { part: 78, whole: 100 }, four(90, 100), 'low'],
    ['the same rate of a small day', { part: 16, whole: 20 }, four(90, 100), 'normal'],
    ['a rate above', { part: 100, whole: 100 }, four(80, 100), 'high'],
    ['less than two points of many', { part: 88_500, whole: 100_000 }, four(90_000, 100_000), 'normal'],
    ['more than two points of many', { part: 87_500, whole: 100_000 }, four(90_000, 100_000), 'low'],
    ['one of a hundred where it was all', { part: 99, whole: 100 }, four(100, 100), 'normal'],
    ['a tenth where it was all', { part: 90, whole: 100 }, four(100, 100), 'low'],
    ['a rate of too few on the day', { part: 0, whole: 19 }, four(90, 100), 'unknown'],
    ['a rate of too few before', { part: 0, whole: 100 }, four(12, 12), 'unknown'],
    ['a rate of a tenant without a past', { part: 50, whole: 100 }, [], 'unknown'],
  ] as const) {
    it(`${title} is ${verdict}`, () => {
      expect(verdictOf(compareRate(day, before))).to.equal(verdict)
    })
  }

  it('has a normal range around the rate of all days together, between 0 and 1', () => {
    const { low, high } = compareRate({ part: 50, whole: 100 }, [...four(90, 100), { part: 0, whole: 50 }])!
    expect((low + high) / 2).to.be.closeTo(0.8, 0.000_1)
    expect(compareRate({ part: 100, whole: 100 }, four(99, 100))!.high).to.equal(1)
    expect(compareRate({ part: 0, whole: 100 }, four(1, 100))!.low).to.equal(0)
  })

  for (const [amount, verdict] of [
    [66, 'low'],
    [67, 'normal'],
    [150, 'normal'],
    [225, 'normal'],
    [226, 'high'],
  ] as const) {
    it(`an amount of ${amount} is ${verdict} where it was 100 to 150`, () => {
      const compared = compareAmount(amount, [120, 100, 150])
      expect(compared).to.deep.equal({ value: amount, low: 100 / 1.5, high: 225 })
      expect(verdictOf(compared)).to.equal(verdict)
    })
  }

  it('is not known of an amount with one day before', () => {
    expect(compareAmount(1_000, [1])).to.equal(undefined)
  })
})
