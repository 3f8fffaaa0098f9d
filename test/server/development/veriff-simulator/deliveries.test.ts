import { expect } from 'chai'
import { hmac, startTrial, type Trial } from './start.ts'

describe('the stand-in: how it delivers webhooks', () => {
  let trial: Trial
  let id: string
  beforeEach(async () => {
    trial = await startTrial({ retryDelaysSeconds: [0.01, 3600] })
    id = (await trial.createSession()).id
  })
  afterEach(() => trial.close())

  const decide = async (delivery: string, more: object = {}) =>
    (await trial.control('POST', `/sessions/${id}/decide`, { outcome: 'approve-adult', delivery, ...more }))
      .json
  const codes = () =>
    trial.receiver.received.map(({ json }) => json.code ?? (json.verification as { code: number }).code)

  it('sends the same bytes twice when told to', async () => {
    const { deliveries } = await decide('duplicate')
    const [first, second] = trial.receiver.received
    expect(first?.body.equals(second?.body ?? Buffer.of())).to.equal(true)
    expect(deliveries.map((one: { status: number }) => one.status)).to.deep.equal([200, 200])
  })

  it('holds a webhook back until it is released', async () => {
    const { deliveries, session } = await decide('late')
    expect(deliveries[0]).to.include({ state: 'held', accepted: false, tries: 0 })
    expect(session.status).to.equal('approved')
    expect(codes()).to.deep.equal([])
    const released = (await trial.control('POST', '/deliveries/release')).json
    expect(released.deliveries[0]).to.include({ state: 'accepted', status: 200 })
    expect(codes()).to.deep.equal([9001])
    expect((await trial.control('POST', '/deliveries/release')).json.deliveries).to.deep.equal([])
  })

  it('sends a late webhook by itself after its delay', async () => {
    const { deliveries } = await decide('late', { delayMs: 20 })
    expect(deliveries[0]).to.include({ state: 'waiting', tries: 0 })
    await trial.receiver.until(1)
    expect(codes()).to.deep.equal([9001])
  })

  it('sends the decision before the events when told to', async () => {
    await trial.control('POST', `/sessions/${id}/open`, { delivery: 'missing' })
    await trial.control('POST', `/sessions/${id}/submit`, { delivery: 'missing' })
    await decide('reordered')
    expect(codes()).to.deep.equal([9001, 7002, 7001])
  })

  it('can be asked for a decision whose webhook never comes', async () => {
    const { deliveries } = await decide('missing')
    expect(deliveries).to.deep.equal([])
    expect(trial.receiver.received).to.have.length(0)
    expect((await trial.api('GET', `/v1/sessions/${id}/decision`)).json.verification.status).to.equal(
      'approved',
    )
  })

  it('forges as told, once, and does not insist', async () => {
    trial.receiver.answerWith(403)
    for (const forgery of ['wrong-signature', 'wrong-client', 'unsigned']) {
      const { deliveries } = await decide(forgery)
      expect(deliveries[0]).to.include({ state: 'given-up', status: 403, tries: 1 })
    }
    const [wrongSignature, wrongClient, unsigned] = trial.receiver.received
    expect(wrongSignature?.headers['x-hmac-signature']).to.match(/^[0-9a-f]{64}$/)
    expect(wrongSignature?.headers['x-hmac-signature']).to.not.equal(hmac(wrongSignature?.body ?? ''))
    expect(wrongClient?.headers['x-hmac-signature']).to.equal(hmac(wrongClient?.body ?? ''))
    expect(wrongClient?.headers['x-auth-client']).to.not.equal(wrongSignature?.headers['x-auth-client'])
    expect(unsigned?.headers).to.not.have.any.keys('x-hmac-signature', 'vrf-hmac-signature')
  })

  for (const status of [204, 302, 404, 500]) {
    it(`counts ${status} as not delivered and tries again until 200`, async () => {
      trial.receiver.answerWith(status)
      const { deliveries } = await decide('once')
      expect(deliveries[0]).to.include({ state: 'waiting', accepted: false, status })
      trial.receiver.answerWith(200)
      await trial.receiver.until(2)
      const [first, ...others] = trial.receiver.received
      expect(others[0]?.body.equals(first?.body ?? Buffer.of())).to.equal(true)
    })
  }

  it('says why there was no answer, and tries again', async () => {
    trial.receiver.close()
    const { deliveries } = await decide('once')
    expect(deliveries[0]).to.include({ state: 'waiting', status: null, tries: 1 })
    expect(deliveries[0].error).to.contain('ECONNREFUSED')
  })

  it('does not wait for an answer beyond its deadline', async () => {
    await trial.close()
    trial = await startTrial({ webhookDeadlineSeconds: 0.02 })
    id = (await trial.createSession()).id
    trial.receiver.answerWith(() => new Promise(() => {}))
    const { deliveries } = await decide('once')
    expect(deliveries[0]).to.include({ state: 'waiting', status: null, tries: 1 })
    expect(deliveries[0].error).to.contain('timeout')
  })

  it('gives up after seven days', async () => {
    await trial.close()
    let now = new Date('2026-03-01T10:00:00Z')
    trial = await startTrial({ now: () => now, retryDelaysSeconds: [3600] })
    id = (await trial.createSession()).id
    trial.receiver.answerWith(500)
    expect((await decide('once')).deliveries[0].nextTryAt).to.equal('2026-03-01T11:00:00.000Z')
    now = new Date('2026-03-08T09:00:00Z')
    const last = (await trial.control('POST', '/deliveries/release')).json.deliveries[0]
    expect(last).to.include({ state: 'waiting', tries: 2 })
    now = new Date('2026-03-08T09:00:01Z')
    const over = (await trial.control('POST', '/deliveries/release')).json.deliveries[0]
    expect(over).to.include({ state: 'given-up', tries: 3, nextTryAt: null })
  })

  it('lists all deliveries with what the service answered', async () => {
    await decide('once')
    const { deliveries } = (await trial.control('GET', '/deliveries')).json
    expect(deliveries).to.have.length(1)
    expect(deliveries[0]).to.include({ sessionId: id, title: 'Decision 9001 approved', status: 200 })
  })
})
