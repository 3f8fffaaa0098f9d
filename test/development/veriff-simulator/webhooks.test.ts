import { expect } from 'chai'
import { eventually } from '../../harness/eventually.ts'
import { apiKey, type Fixture, hmac, startFixture } from './fixture.ts'

const now = new Date('2026-03-01T10:03:12.123Z')

describe('the Veriff simulator’s webhooks', () => {
  let simulator: Fixture
  let id: string
  beforeEach(async () => {
    simulator = await startFixture({ now: () => now, retryDelaysSeconds: [0.01, 3600] })
    id = (await simulator.createSession({ vendorData: 'case-42' })).id
  })
  afterEach(() => simulator.close())

  const act = async (action: string, plan: object = {}) =>
    (await simulator.control('POST', `/sessions/${id}/${action}`, plan)).body
  const decide = (input: object) => simulator.decide(id, input)

  it('report opening and submitting once per attempt, signed under both pairs of header names', async () => {
    const { session, deliveries } = await act('open')
    await act('open')
    await act('submit')
    await act('submit')
    const attemptId = session.attempts[0].id
    const event = { id, attemptId, feature: 'selfid', vendorData: 'case-42', endUserId: null }
    expect(simulator.receiver.received.map(({ json }) => json)).to.deep.equal([
      { ...event, code: 7001, action: 'started' },
      { ...event, code: 7002, action: 'submitted' },
    ])
    expect(deliveries[0]).to.include({ state: 'accepted', status: 200, accepted: true, tries: 1 })
    const { headers, body } = simulator.receiver.received[0]!
    expect(headers).to.include({ 'x-auth-client': apiKey, 'vrf-auth-client': apiKey })
    expect(headers).to.include({ 'x-hmac-signature': hmac(body), 'vrf-hmac-signature': hmac(body) })
    expect(await simulator.poll(id)).to.equal(null)
  })

  const outcomes: [string, string, number, string | null | undefined, number | null][] = [
    ['approve-adult', 'approved', 9001, '1991-09-01', null],
    ['approve-minor', 'approved', 9001, '2010-09-01', null],
    ['approve-unknown-age', 'approved', 9001, null, null],
    ['decline', 'declined', 9102, '1991-09-01', 106],
    ['resubmission', 'resubmission_requested', 9103, null, 204],
    ['review', 'review', 9121, null, null],
    ['abandon', 'abandoned', 9104, undefined, null],
    ['expire', 'expired', 9104, undefined, null],
  ]
  for (const [outcome, status, code, dateOfBirth, reasonCode] of outcomes) {
    it(`report ${outcome} as ${status} ${code}, to polling too`, async () => {
      const { session } = await decide({ outcome })
      const { verification } = simulator.receiver.received[0]!.json
      expect(verification).to.deep.include({ id, status, code, reasonCode, vendorData: 'case-42' })
      expect(verification.decisionTime).to.equal('2026-03-01T10:03:12.123000Z')
      expect(verification.person?.dateOfBirth).to.equal(dateOfBirth)
      expect(verification.attemptId).to.equal(session.attempts[0]?.id ?? null)
      expect(await simulator.poll(id)).to.deep.equal(verification)
    })
  }

  it('report the values that a script sets, in both shapes', async () => {
    const attemptId = '66666666-7777-4888-8999-bbbbbbbbbbbb'
    const decisionTime = '2026-02-28T09:00:00Z'
    const set = { outcome: 'decline', dateOfBirth: '2015-02-30', reasonCode: '533', decisionTime, attemptId }
    await decide({ ...set, estimatedAge: 12.4 })
    const verification = await simulator.poll(id)
    expect(verification).to.include({ reasonCode: '533', decisionTime, attemptId })
    expect(verification.person.dateOfBirth).to.equal('2015-02-30')
    expect(verification.additionalVerifiedData).to.deep.equal({ estimatedAge: 12.4 })
    await decide({ ...set, outcome: 'approve-adult', decisionScore: 0.97 })
    const { json } = simulator.receiver.received[1]!
    expect(json).to.include({ sessionId: id, vendorData: 'case-42', time: decisionTime })
    expect(json.data.verification).to.include({ decision: 'approved', decisionScore: 0.97 })
    expect(json.data.verification.person.dateOfBirth.value).to.equal('2015-02-30')
    expect(json.data.verification).not.to.have.property('code')
  })

  it('report a new attempt after each requested resubmission, and the tenth as declined with 539', async () => {
    await decide({ outcome: 'resubmission' })
    const { session } = await act('open')
    expect(session.attempts[0].id).to.not.equal(session.attempts[1].id)
    expect(simulator.receiver.received[1]!.json).to.include({ code: 7001, attemptId: session.attempts[1].id })
    expect(await simulator.poll(id)).to.equal(null)
    for (let count = 2; count <= 10; count += 1) await decide({ outcome: 'resubmission' })
    expect(await simulator.poll(id)).to.include({ status: 'declined', reasonCode: 539 })
  })

  it('end an open session that is deleted; one that is examined cannot be', async () => {
    const remove = () => simulator.api('DELETE', `/v1/sessions/${id}`)
    await simulator.control('PUT', '/mode', { deleteSession: 'disabled' })
    expect((await remove()).body.code).to.equal('1301')
    await simulator.control('PUT', '/mode', {})
    await act('submit')
    expect((await remove()).body.code).to.equal('1306')
    await decide({ outcome: 'resubmission' })
    expect((await remove()).body).to.deep.include({ status: 'success', verification: { id } })
    expect(simulator.receiver.received.at(-1)?.json.verification.status).to.equal('abandoned')
    expect((await remove()).status).to.equal(404)
    expect((await simulator.control('GET', '/deliveries')).body.deliveries).to.deep.equal([])
  })

  it('are not sent for sessions that end after seven days: expired if never opened, else abandoned', async () => {
    await simulator.close()
    let at = now
    simulator = await startFixture({ now: () => at })
    const [unopened, opened] = [await simulator.createSession(), await simulator.createSession()]
    await simulator.control('POST', `/sessions/${opened.id}/open`)
    at = new Date('2026-03-08T10:03:12.122Z')
    expect(await simulator.poll(unopened.id)).to.equal(null)
    at = new Date('2026-03-08T10:03:12.123Z')
    expect(await simulator.poll(unopened.id)).to.include({ status: 'expired', code: 9104 })
    expect(await simulator.poll(opened.id)).to.include({ status: 'abandoned', code: 9104 })
    expect(simulator.receiver.codes()).to.deep.equal([7001])
  })

  it('travel as planned: twice, late, after a delay, out of order or not at all', async () => {
    const { receiver } = simulator
    await act('open', { delivery: 'missing' })
    expect((await decide({ outcome: 'review', delivery: 'missing' })).deliveries).to.deep.equal([])
    expect((await simulator.poll(id)).status).to.equal('review')
    await decide({ outcome: 'review', delivery: 'duplicate' })
    expect(receiver.received[0]!.body.equals(receiver.received[1]!.body)).to.equal(true)
    const { deliveries } = await decide({ outcome: 'approve-adult', delivery: 'late' })
    expect(deliveries[0]).to.include({ state: 'held', accepted: false, tries: 0 })
    expect(receiver.received).to.have.length(2)
    const released = await simulator.control('POST', '/deliveries/release')
    expect(released.body.deliveries).to.have.length(1)
    expect((await simulator.control('POST', '/deliveries/release')).body.deliveries).to.deep.equal([])
    await decide({ outcome: 'decline', delivery: 'late', delayMs: 20 })
    await receiver.until(4)
    await decide({ outcome: 'approve-adult', delivery: 'reordered' })
    expect(receiver.codes()).to.deep.equal([9121, 9121, 9001, 9102, 9001, 7002, 7001])
  })

  it('are forged once, without a retry', async () => {
    simulator.receiver.respondWith(() => 403)
    for (const delivery of ['wrong-signature', 'wrong-client', 'unsigned']) {
      const { deliveries } = await decide({ outcome: 'decline', delivery })
      expect(deliveries[0]).to.include({ state: 'given-up', status: 403, tries: 1 })
    }
    const authentic = simulator.receiver.received.map(({ headers, body }) => ({
      client: headers['x-auth-client'] === apiKey,
      signature: headers['x-hmac-signature'] && headers['x-hmac-signature'] === hmac(body),
    }))
    expect(authentic).to.deep.equal([
      { client: true, signature: false },
      { client: false, signature: true },
      { client: true, signature: undefined },
    ])
  })

  it('are retried until they get a 200 in time, with the same bytes', async () => {
    await simulator.close()
    simulator = await startFixture({ webhookTimeoutSeconds: 1, retryDelaysSeconds: [0.01, 0.01, 3600] })
    ;({ id } = await simulator.createSession())
    const { receiver } = simulator
    const responses = [302, 204, new Promise<number>(() => {})]
    receiver.respondWith(() => responses.shift() ?? 200)
    const { deliveries } = await decide({ outcome: 'decline' })
    expect(deliveries[0]).to.include({ state: 'waiting', accepted: false, status: 302 })
    const delivery = async () => (await simulator.control('GET', '/deliveries')).body.deliveries[0]
    const third = await eventually(delivery, { until: ({ tries }) => tries === 3 })
    expect(third).to.include({ state: 'waiting', status: null })
    expect(third.error).to.contain('timeout')
    await simulator.control('POST', '/deliveries/release')
    const title = 'Decision 9102 declined'
    expect(await delivery()).to.include({ sessionId: id, title, accepted: true, status: 200, tries: 4 })
    expect(new Set(receiver.received.map(({ body }) => String(body))).size).to.equal(1)
  })

  it('are not sent for invalid input', async () => {
    for (const input of [
      { outcome: 'approve' },
      { outcome: 'decline', reason: 'unknown field' },
      { outcome: 'decline', delayMs: 1 },
      { outcome: 'decline', shape: 'decision', decisionScore: 1 },
    ]) {
      expect((await simulator.control('POST', `/sessions/${id}/decide`, input)).status).to.equal(400)
    }
    expect(simulator.receiver.received).to.deep.equal([])
  })
})
