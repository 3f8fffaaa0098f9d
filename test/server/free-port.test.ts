import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'

describe('a free port', () => {
  it('is never one that the system gives to outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 200 }, () => freePort()))
    expect(Math.min(...ports)).to.be.at.least(12_000)
    expect(Math.max(...ports)).to.be.below(32_000)
  })
})
