import { expect } from 'chai'
import { apiKey, hmac, type SimulatorFixture, startFixture } from './fixture.ts'

const now = new Date('2026-03-01T10:03:12.123Z')

describe('the Veriff simulator’s decisions', () => {
  let simulator: SimulatorFixture
  let id: string
  before(async () => {
    simulator = await startFixture({ now: () => now })
  })
  after(() => simulator.close())
  beforeEach(async () => {
    id = (await simulator.createSession({ vendorData: 'case-42' })).id
    simulator.receiver.received.length = 0
  })

  const decide = async (request: object) =>
    (await simulator.control('POST', `/sessions/${id}/decide`, request)).json
  const poll = async () => (await simulator.api('GET', `/v1/sessions/${id}/decision`)).json.verification

  it('reports opening and submitting as the two events of one attempt', async () => {
    const opened = (await simulator.control('POST', `/sessions/${id}/open`)).json
    await simulator.control('POST', `/sessions/${id}/open`)
    await simulator.control('POST', `/sessions/${id}/submit`)
    await simulator.control('POST', `/sessions/${id}/submit`)
    const attemptId = opened.session.attempts[0].id
    const event = { id, attemptId, feature: 'selfid', vendorData: 'case-42', endUserId: null }
    expect(simulator.receiver.received.map(one => one.json)).to.deep.equal([
      { ...event, code: 7001, action: 'started' },
      { ...event, code: 7002, action: 'submitted' },
    ])
    expect(opened.deliveries[0]).to.include({ status: 200, accepted: true, tries: 1 })
  })

  it('deletes a session with its webhooks, except while it is examined, and ends an open one before', async () => {
    const remove = () => simulator.api('DELETE', `/v1/sessions/${id}`)
    await simulator.control('POST', `/sessions/${id}/submit`)
    expect(await remove()).to.deep.include({ status: 400 })
    expect((await remove()).json).to.include({ code: '1306' })
    await decide({ outcome: 'resubmission' })
    simulator.receiver.received.length = 0
    const deleted = await remove()
    expect(deleted.json).to.deep.include({ status: 'success', verification: { id } })
    expect(simulator.receiver.received.map(one => one.json)).to.have.nested.property(
      '[0].verification.status',
      'abandoned',
    )
    expect((await remove()).status).to.equal(404)
    expect((await simulator.api('GET', `/v1/sessions/${id}/decision`)).status).to.equal(404)
    const { deliveries } = (await simulator.control('GET', '/deliveries')).json
    expect(deliveries.map((one: { sessionId: string }) => one.sessionId)).not.to.include(id)
  })

  it('keeps every session of an integration for which deletion is disabled', async () => {
    await simulator.control('PUT', '/mode', { deleteSession: 'disabled' })
    const response = await simulator.api('DELETE', `/v1/sessions/${id}`)
    await simulator.control('PUT', '/mode', {})
    expect(response).to.deep.include({ status: 400 })
    expect(response.json).to.include({ code: '1301' })
    expect((await simulator.api('GET', `/v1/sessions/${id}/decision`)).status).to.equal(200)
  })

  it('signs webhooks over their exact bytes, under both pairs of header names', async () => {
    await decide({ outcome: 'approve-adult' })
    const [{ headers, body } = expect.fail()] = simulator.receiver.received
    expect(headers).to.include({ 'x-auth-client': apiKey, 'vrf-auth-client': apiKey })
    expect(headers).to.include({ 'x-hmac-signature': hmac(body), 'vrf-hmac-signature': hmac(body) })
    expect(headers['content-type']).to.equal('application/json')
  })

  it('signs an event like the example in the provider’s documentation', async () => {
    const text =
      '{"id":"11111111-2222-4333-8444-555555555555","attemptId":"66666666-7777-4888-8999-aaaaaaaaaaaa","feature":"selfid","code":7001,"action":"started","vendorData":"case-42","endUserId":null}'
    await fetch(`${simulator.baseUrl}/control/sessions/${id}/deliver`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    })
    const [{ headers, body } = expect.fail()] = simulator.receiver.received
    expect(body.toString()).to.equal(text)
    expect(headers['x-hmac-signature']).to.equal(
      'ae2ec9e6c3419c01185e597d290dbccad14e83f50fc77025db7874b89383040b',
    )
  })

  it('returns no decision to polling before there is one', async () => {
    expect(await poll()).to.equal(null)
    await simulator.control('POST', `/sessions/${id}/open`)
    await simulator.control('POST', `/sessions/${id}/submit`)
    expect(await poll()).to.equal(null)
  })

  const cases: [string, string, number, string | null, number | null][] = [
    ['approve-adult', 'approved', 9001, '1991-09-01', null],
    ['approve-minor', 'approved', 9001, '2010-09-01', null],
    ['approve-unknown-age', 'approved', 9001, null, null],
    ['decline', 'declined', 9102, '1991-09-01', 106],
    ['resubmission', 'resubmission_requested', 9103, null, 204],
    ['review', 'review', 9121, null, null],
  ]
  for (const [outcome, status, code, dateOfBirth, reasonCode] of cases) {
    it(`reports ${outcome} as ${status} ${code}, by webhook and to polling`, async () => {
      const { session } = await decide({ outcome })
      expect(session.status).to.equal(status)
      const { status: result, verification } = simulator.receiver.received[0]!.json as Record<string, never>
      expect(result).to.equal('success')
      expect(verification).to.deep.include({ id, status, code, reasonCode, vendorData: 'case-42' })
      expect(verification).to.deep.include({ decisionTime: '2026-03-01T10:03:12.123000Z' })
      expect(verification).to.have.nested.property('person.dateOfBirth', dateOfBirth)
      expect(verification).to.have.property('attemptId', session.attempts[0].id)
      expect(await poll()).to.deep.equal(verification)
    })
  }

  for (const [outcome, status] of [
    ['abandon', 'abandoned'],
    ['expire', 'expired'],
  ]) {
    it(`reports ${outcome} as ${status} 9104, without a person`, async () => {
      await decide({ outcome })
      const { verification } = simulator.receiver.received[0]!.json as Record<string, never>
      expect(verification).to.deep.include({
        status,
        code: 9104,
        person: null,
        document: null,
        attemptId: null,
      })
      expect(await poll()).to.deep.equal(verification)
    })
  }

  it('reports the Full Auto shape with a score and with values as objects', async () => {
    await decide({
      outcome: 'approve-adult',
      shape: 'full-auto',
      decisionScore: 0.97,
      dateOfBirth: '2000-02-29',
    })
    const body = simulator.receiver.received[0]?.json
    expect(body).to.include({ sessionId: id, vendorData: 'case-42' }).and.not.have.property('verification')
    expect(body).to.have.nested.property('data.verification.decision', 'approved')
    expect(body).to.have.nested.property('data.verification.decisionScore', 0.97)
    expect(body).to.have.nested.property('data.verification.person.dateOfBirth.value', '2000-02-29')
    expect(body).to.not.have.nested.property('data.verification.code')
  })

  it('reports the values that a script sets', async () => {
    await decide({
      outcome: 'decline',
      dateOfBirth: '2015-02-30',
      estimatedAge: 12.4,
      reasonCode: '533',
      decisionTime: '2026-02-28T09:00:00Z',
      attemptId: '66666666-7777-4888-8999-aaaaaaaaaaaa',
    })
    const verification = await poll()
    expect(verification).to.include({ reasonCode: '533', decisionTime: '2026-02-28T09:00:00Z' })
    expect(verification.attemptId).to.equal('66666666-7777-4888-8999-aaaaaaaaaaaa')
    expect(verification.person.dateOfBirth).to.equal('2015-02-30')
    expect(verification.additionalVerifiedData).to.deep.equal({ estimatedAge: 12.4 })
  })

  it('starts a new attempt in the same session after a resubmission was requested', async () => {
    await simulator.control('POST', `/sessions/${id}/open`)
    await decide({ outcome: 'resubmission' })
    const { session } = (await simulator.control('POST', `/sessions/${id}/open`)).json
    expect(session.attempts.map((attempt: { status: string }) => attempt.status)).to.deep.equal([
      'resubmission_requested',
      'started',
    ])
    expect(session.attempts[0].id).to.not.equal(session.attempts[1].id)
    expect(simulator.receiver.received.at(-1)?.json).to.include({
      code: 7001,
      attemptId: session.attempts[1].id,
    })
    expect(await poll()).to.equal(null)
  })

  it('declines the tenth attempt with reason code 539', async () => {
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      expect((await decide({ outcome: 'resubmission' })).session.status).to.equal('resubmission_requested')
    }
    const { session } = await decide({ outcome: 'resubmission' })
    expect(session).to.include({ status: 'declined' })
    expect(session.decision).to.include({ code: 9102, reasonCode: 539 })
    expect(session.attempts).to.have.length(10)
  })

  it('reports a final decision after a review, and a corrected decision', async () => {
    await decide({ outcome: 'review' })
    await decide({ outcome: 'approve-adult' })
    await decide({ outcome: 'decline' })
    const statuses = simulator.receiver.received.map(
      ({ json }) => (json.verification as { status: string }).status,
    )
    expect(statuses).to.deep.equal(['review', 'approved', 'declined'])
    expect((await poll()).status).to.equal('declined')
  })

  it('returns the newest session with the given vendorData', async () => {
    const { id: newest } = await simulator.createSession({ vendorData: 'case-42' })
    expect((await simulator.control('GET', '/sessions/case-42')).json.session.id).to.equal(newest)
    expect((await simulator.control('GET', '/sessions/nobody')).status).to.equal(404)
  })

  const invalid: [string, object][] = [
    ['an unknown outcome', { outcome: 'approve' }],
    ['an unknown field', { outcome: 'decline', reason: 'x' }],
    ['a delay in another mode than late', { outcome: 'decline', delayMs: 1 }],
    ['a score in a shape without one', { outcome: 'decline', shape: 'decision', decisionScore: 1 }],
  ]
  for (const [name, request] of invalid) {
    it(`rejects ${name} and decides nothing`, async () => {
      expect((await simulator.control('POST', `/sessions/${id}/decide`, request)).status).to.equal(400)
      expect(await poll()).to.equal(null)
      expect(simulator.receiver.received).to.have.length(0)
    })
  }
})
