import { expect } from 'chai'
import fc from 'fast-check'
import { medianSeconds, noDurations, packDuration } from '#domain/usage/duration-histogram.ts'

const eightDaysMs = 8 * 24 * 60 * 60 * 1000
const durationsMs = fc.array(fc.integer({ min: 1000, max: eightDaysMs }), { minLength: 1, maxLength: 200 })

describe('The histogram of durations', () => {
  it('has a median within a factor of √2 of the true one, however long they took', () => {
    fc.assert(
      fc.property(durationsMs, durations => {
        const median = medianSeconds(durations.map(packDuration))!
        const sorted = durations.map(ms => ms / 1000).toSorted((one, other) => one - other)
        const [lower, upper] = [Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2)]
        expect(median).to.be.within(sorted[lower]! / Math.SQRT2, sorted[upper]! * Math.SQRT2)
      }),
    )
  })

  it('is the same when histograms are added as numbers', () => {
    fc.assert(
      fc.property(durationsMs, durations => {
        const packed = durations.map(packDuration)
        const added = packed.reduce((sum, one) => sum + BigInt(one), 0n)
        expect(medianSeconds([String(added)])).to.equal(medianSeconds(packed))
      }),
    )
  })

  it('is close to the median of many that are spread evenly', () => {
    const packed = Array.from({ length: 10_000 }, (_, n) => packDuration(60_000 + n * 60))
    expect(medianSeconds(packed)).to.be.closeTo(360, 18)
  })

  it('has no median without durations', () => {
    expect(medianSeconds([])).to.equal(null)
    expect(medianSeconds([noDurations, noDurations])).to.equal(null)
  })

  it('counts those below a second and those beyond its last bucket', () => {
    expect(medianSeconds([packDuration(0), packDuration(999)])).to.equal(0.5)
    expect(medianSeconds([packDuration(-5)])).to.equal(0.5)
    expect(medianSeconds([packDuration(100 * eightDaysMs)])).to.be.closeTo(8.58 * 86_400, 200)
  })
})
