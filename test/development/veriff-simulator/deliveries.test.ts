import { expect } from 'chai'
import { hmac, type SimulatorFixture, startFixture } from './fixture.ts'

describe('the Veriff simulator’s webhook deliveries', () => {
  let simulator: SimulatorFixture
  let id: string
  beforeEach(async () => {
    simulator = await startFixture({ retryDelaysSeconds: [0.01, 3600] })
    id = (await simulator.createSession()).id
  })
  afterEach(() => simulator.close())

  const decide = async (delivery: string, more: object = {}) =>
    (
      await simulator.control('POST', `/sessions/${id}/decide`, {
        outcome: 'approve-adult',
        delivery,
        ...more,
      })
    ).json
  const codes = () =>
    simulator.receiver.received.map(({ json }) => json.code ?? (json.verification as { code: number }).code)

  it('sends the same bytes twice in mode duplicate', async () => {
    const { deliveries } = await decide('duplicate')
    const [first, second] = simulator.receiver.received
    expect(first?.body.equals(second?.body ?? Buffer.of())).to.equal(true)
    expect(deliveries.map((one: { status: number }) => one.status)).to.deep.equal([200, 200])
  })

  it('holds a webhook until it is released in mode late', async () => {
    const { deliveries, session } = await decide('late')
    expect(deliveries[0]).to.include({ state: 'held', accepted: false, tries: 0 })
    expect(session.status).to.equal('approved')
    expect(codes()).to.deep.equal([])
    const released = (await simulator.control('POST', '/deliveries/release')).json
    expect(released.deliveries[0]).to.include({ state: 'accepted', status: 200 })
    expect(codes()).to.deep.equal([9001])
    expect((await simulator.control('POST', '/deliveries/release')).json.deliveries).to.deep.equal([])
  })

  it('sends a late webhook automatically after its delay', async () => {
    const { deliveries } = await decide('late', { delayMs: 20 })
    expect(deliveries[0]).to.include({ state: 'waiting', tries: 0 })
    await simulator.receiver.until(1)
    expect(codes()).to.deep.equal([9001])
  })

  it('sends the decision before the events in mode reordered', async () => {
    await simulator.control('POST', `/sessions/${id}/open`, { delivery: 'missing' })
    await simulator.control('POST', `/sessions/${id}/submit`, { delivery: 'missing' })
    await decide('reordered')
    expect(codes()).to.deep.equal([9001, 7002, 7001])
  })

  it('returns a decision to polling whose webhook is missing', async () => {
    const { deliveries } = await decide('missing')
    expect(deliveries).to.deep.equal([])
    expect(simulator.receiver.received).to.have.length(0)
    expect((await simulator.api('GET', `/v1/sessions/${id}/decision`)).json.verification.status).to.equal(
      'approved',
    )
  })

  it('sends a forged webhook once, without a retry', async () => {
    simulator.receiver.respondWith(403)
    for (const forgery of ['wrong-signature', 'wrong-client', 'unsigned']) {
      const { deliveries } = await decide(forgery)
      expect(deliveries[0]).to.include({ state: 'given-up', status: 403, tries: 1 })
    }
    const [wrongSignature, wrongClient, unsigned] = simulator.receiver.received
    expect(wrongSignature?.headers['x-hmac-signature']).to.match(/^[0-9a-f]{64}$/)
    expect(wrongSignature?.headers['x-hmac-signature']).to.not.equal(hmac(wrongSignature?.body ?? ''))
    expect(wrongClient?.headers['x-hmac-signature']).to.equal(hmac(wrongClient?.body ?? ''))
    expect(wrongClient?.headers['x-auth-client']).to.not.equal(wrongSignature?.headers['x-auth-client'])
    expect(unsigned?.headers).to.not.have.any.keys('x-hmac-signature', 'vrf-hmac-signature')
  })

  for (const status of [204, 302, 404, 500]) {
    it(`retries after status ${status} until it gets a 200`, async () => {
      simulator.receiver.respondWith(status)
      const { deliveries } = await decide('once')
      expect(deliveries[0]).to.include({ state: 'waiting', accepted: false, status })
      simulator.receiver.respondWith(200)
      await simulator.receiver.until(2)
      const [first, ...others] = simulator.receiver.received
      expect(others[0]?.body.equals(first?.body ?? Buffer.of())).to.equal(true)
    })
  }

  it('records why there was no response, and retries', async () => {
    simulator.receiver.close()
    const { deliveries } = await decide('once')
    expect(deliveries[0]).to.include({ state: 'waiting', status: null, tries: 1 })
    expect(deliveries[0].error).to.contain('ECONNREFUSED')
  })

  it('does not wait for a response beyond its time limit', async () => {
    await simulator.close()
    simulator = await startFixture({ webhookTimeoutSeconds: 0.02 })
    id = (await simulator.createSession()).id
    simulator.receiver.respondWith(() => new Promise(() => {}))
    const { deliveries } = await decide('once')
    expect(deliveries[0]).to.include({ state: 'waiting', status: null, tries: 1 })
    expect(deliveries[0].error).to.contain('timeout')
  })

  it('gives up after seven days', async () => {
    await simulator.close()
    let now = new Date('2026-03-01T10:00:00Z')
    simulator = await startFixture({ now: () => now, retryDelaysSeconds: [3600] })
    id = (await simulator.createSession()).id
    simulator.receiver.respondWith(500)
    expect((await decide('once')).deliveries[0].nextTryAt).to.equal('2026-03-01T11:00:00.000Z')
    now = new Date('2026-03-08T09:00:00Z')
    const last = (await simulator.control('POST', '/deliveries/release')).json.deliveries[0]
    expect(last).to.include({ state: 'waiting', tries: 2 })
    now = new Date('2026-03-08T09:00:01Z')
    const over = (await simulator.control('POST', '/deliveries/release')).json.deliveries[0]
    expect(over).to.include({ state: 'given-up', tries: 3, nextTryAt: null })
  })

  it('lists all deliveries with the service’s responses', async () => {
    await decide('once')
    const { deliveries } = (await simulator.control('GET', '/deliveries')).json
    expect(deliveries).to.have.length(1)
    expect(deliveries[0]).to.include({ sessionId: id, title: 'Decision 9001 approved', status: 200 })
  })
})
