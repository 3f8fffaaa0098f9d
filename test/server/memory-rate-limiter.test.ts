import { expect } from 'chai'
import { createMemoryRateLimiter } from '#server/admission/memory-rate-limiter.ts'

describe('Rate limits in memory', () => {
  const at = (time: string) => new Date(`2026-11-20T${time}Z`)
  const limiter = createMemoryRateLimiter()
  const hit = async (bucket: string, time: string) => (await limiter.hit(bucket, 60, at(time))).remaining

  it('count a request that is late in its own minute, and keep the counts of others', async () => {
    for (let count = 0; count < 60; count++) await hit('one', '12:01:00.010')
    expect(await hit('other', '12:00:59.990')).to.equal(59)
    expect((await limiter.hit('one', 60, at('12:01:00.020'))).exceeded).to.equal(true)
    expect(await hit('other', '12:00:59.995')).to.equal(58)
    expect(await hit('one', '12:00:59.999')).to.equal(59)
  })

  it('begin anew with the next minute', async () => {
    await hit('two', '12:03:59.999')
    expect(await hit('two', '12:04:00.000')).to.equal(59)
  })
})
