import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'

describe('a free port', () => {
  it('is never one that the system gives to outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 200 }, () => freePort()))
    expect(Math.min(...ports)).to.be.at.least(12_000)
    expect(Math.max(...ports)).to.be.below(32_000)
  })

  it('is another one each time, also before one of them is bound', async () => {
    // Of 20,000 ports, 1,000 taken at random would be all different once in 10^11 times.
    const ports = await Promise.all(Array.from({ length: 1_000 }, () => freePort()))
    expect(new Set(ports)).to.have.lengthOf(ports.length)
  })
})
