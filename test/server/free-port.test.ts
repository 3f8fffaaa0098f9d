import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { StartError } from '#server/start-error.ts'

describe('a free port', () => {
  it('is never one that the system gives to outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 200 }, () => freePort()))
    expect(Math.min(...ports)).to.be.at.least(12_000)
    expect(Math.max(...ports)).to.be.below(32_000)
  })

  it('is not looked for on an address that this machine does not have', async () => {
    const error = await freePort('192.0.2.1').catch((caught: unknown) => caught)
    expect(error).to.be.instanceOf(StartError).with.property('message').that.contains('192.0.2.1')
  })
})
