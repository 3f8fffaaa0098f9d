import { expect } from 'chai'
import { createMemoryCounter } from '#server/admission/memory-counter.ts'

describe('Requests that are counted in memory', () => {
  const at = (time: string) => new Date(`2026-11-20T${time}Z`)
  const counter = createMemoryCounter()
  const count = (bucket: string, time: string) => counter.count(bucket, at(time))

  it('are counted in their own minute, also late, without those of others', async () => {
    for (let counted = 1; counted <= 60; counted++)
      expect(await count('one', '12:01:00.010')).to.equal(counted)
    expect(await count('other', '12:00:59.990')).to.equal(1)
    expect(await count('one', '12:01:00.020')).to.equal(61)
    expect(await count('other', '12:00:59.995')).to.equal(2)
    expect(await count('one', '12:00:59.999')).to.equal(1)
  })

  it('begin anew with the next minute', async () => {
    expect(await count('two', '12:03:59.999')).to.equal(1)
    expect(await count('two', '12:04:00.000')).to.equal(1)
  })
})
