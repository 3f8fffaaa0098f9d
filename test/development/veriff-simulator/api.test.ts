import { expect } from 'chai'
import { apiKey, hmac, type SimulatorFixture, startFixture } from './fixture.ts'

const unknownId = 'aea9ba6d-1b47-47fc-a4fc-f72b6d3584a7'

describe('the Veriff simulator’s API', () => {
  let simulator: SimulatorFixture
  before(async () => {
    simulator = await startFixture()
  })
  after(() => simulator.close())

  it('creates a session and returns its vendorData', async () => {
    const response = await simulator.api('POST', '/v1/sessions', {
      body: { verification: { vendorData: 'case-42' } },
    })
    expect(response.status).to.equal(201)
    const { status, verification } = response.json
    expect(status).to.equal('success')
    expect(verification).to.include({ vendorData: 'case-42', status: 'created', host: simulator.baseUrl })
    expect(verification.url).to.equal(`${simulator.baseUrl}/v/${verification.sessionToken}`)
    expect(JSON.stringify(simulator.receiver.received)).not.to.contain(verification.id)
  })

  it('creates a session without a signature', async () => {
    const body = JSON.stringify({ verification: {} })
    const headers = { 'x-auth-client': apiKey }
    const response = await fetch(`${simulator.baseUrl}/v1/sessions`, { method: 'POST', headers, body })
    expect(response.status).to.equal(201)
  })

  const body = { verification: {} }
  const invalidRequests: [string, string, string, object, number, string][] = [
    [
      'a request without an API key',
      'POST',
      '/v1/sessions',
      { body, headers: { 'x-auth-client': '' } },
      401,
      '1801',
    ],
    [
      'an API key that is not a UUID',
      'POST',
      '/v1/sessions',
      { body, headers: { 'x-auth-client': 'k' } },
      401,
      '1802',
    ],
    [
      'an unknown API key',
      'POST',
      '/v1/sessions',
      { body, headers: { 'x-auth-client': unknownId } },
      401,
      '1803',
    ],
    [
      'a signature of another body',
      'POST',
      '/v1/sessions',
      { body, headers: { 'x-hmac-signature': hmac('x') } },
      401,
      '1819',
    ],
    [
      'a signature that is not a hash',
      'POST',
      '/v1/sessions',
      { body, headers: { 'x-hmac-signature': 'zz' } },
      401,
      '1812',
    ],
    ['malformed JSON', 'POST', '/v1/sessions', { body: '{' }, 400, '1104'],
    ['a body without a verification', 'POST', '/v1/sessions', { body: {} }, 400, '1102'],
    [
      'a callback over http',
      'POST',
      '/v1/sessions',
      { body: { verification: { callback: 'http://a.example' } } },
      400,
      '1302',
    ],
    [
      'a callback that is not a URL',
      'POST',
      '/v1/sessions',
      { body: { verification: { callback: 'x' } } },
      400,
      '1302',
    ],
    [
      'vendorData of 1001 characters',
      'POST',
      '/v1/sessions',
      { body: { verification: { vendorData: 'a'.repeat(1001) } } },
      400,
      '1500',
    ],
    [
      'vendorData that is a number',
      'POST',
      '/v1/sessions',
      { body: { verification: { vendorData: 1 } } },
      400,
      '1501',
    ],
    [
      'an endUserId that is not a UUID',
      'POST',
      '/v1/sessions',
      { body: { verification: { endUserId: 'x' } } },
      400,
      '1104',
    ],
    [
      'an unsigned poll',
      'GET',
      `/v1/sessions/${unknownId}/decision`,
      { headers: { 'x-hmac-signature': '' } },
      401,
      '1812',
    ],
    [
      'a poll with the signature of another id',
      'GET',
      `/v1/sessions/${unknownId}/decision`,
      { headers: { 'x-hmac-signature': hmac('x') } },
      401,
      '1818',
    ],
    ['a poll for an unknown session', 'GET', `/v1/sessions/${unknownId}/decision`, {}, 404, '404'],
    ['a poll for an id that is too short', 'GET', '/v1/sessions/abc/decision', {}, 400, '1001'],
    [
      'a poll for an id that is not a UUID',
      'GET',
      `/v1/sessions/${'x'.repeat(36)}/decision`,
      {},
      400,
      '1002',
    ],
    ['a deletion of an unknown session', 'DELETE', `/v1/sessions/${unknownId}`, {}, 404, '404'],
  ]
  for (const [name, method, path, options, status, code] of invalidRequests) {
    it(`rejects ${name} with ${code}`, async () => {
      const response = await simulator.api(method, path, options)
      expect(response.status).to.equal(status)
      expect(response.json).to.include({ code })
      expect(response.json.message).to.be.a('string')
    })
  }

  it('accepts the signature of an id from the provider’s documentation, in lower and upper case hex', async () => {
    const signature = '895cb3fd31139d89aeb7b263682e15479ab57651e70591256ad2c14fde4950dd'
    for (const hex of [signature, signature.toUpperCase()]) {
      const headers = { 'x-hmac-signature': hex }
      const response = await simulator.api('GET', `/v1/sessions/${unknownId}/decision`, { headers })
      expect(response.status).to.equal(404)
    }
  })

  it('accepts the signature of a body from the provider’s documentation', async () => {
    const text =
      '{"verification":{"callback":"https://veriff.com","person":{"firstName":"John","lastName":"Smith"},"document":{"type":"PASSPORT","country":"EE"},"vendorData":"unique id of the end-user","timestamp":"2016-05-19T08:30:25.597Z"}}'
    const headers = { 'x-hmac-signature': '0dcab73ddd20062616d104231c7439657546a5c24e4691977da93bb854c31e25' }
    const response = await simulator.api('POST', '/v1/sessions', { body: text, headers })
    expect(response.status).to.equal(201)
  })

  it('accepts requests signed with any of its shared secrets', async () => {
    const rotating = await startFixture({ sharedSecrets: ['new-secret', 'old-secret'] })
    for (const key of ['new-secret', 'old-secret']) {
      const text = JSON.stringify(body)
      const headers = { 'x-hmac-signature': hmac(text, key) }
      expect((await rotating.api('POST', '/v1/sessions', { body: text, headers })).status).to.equal(201)
    }
    await rotating.close()
  })

  it('signs every response to an authenticated client over its exact bytes, in varying order of keys', async () => {
    const orders = new Set<string>()
    const fields = new Set<string>()
    for (let count = 0; count < 6; count += 1) {
      const response = await simulator.api('POST', '/v1/sessions', { body })
      expect(response.headers.get('x-auth-client')).to.equal(apiKey)
      expect(response.headers.get('vrf-auth-client')).to.equal(apiKey)
      expect(response.headers.get('x-hmac-signature')).to.equal(hmac(response.text))
      expect(response.headers.get('vrf-hmac-signature')).to.equal(hmac(response.text))
      orders.add(Object.keys(response.json.verification).join())
      for (const field of Object.keys(response.json)) fields.add(field)
    }
    expect(orders.size).to.equal(2)
    expect(fields.size).to.equal(3)
    const rejected = await simulator.api('GET', `/v1/sessions/${unknownId}/decision`)
    expect(rejected.headers.get('x-hmac-signature')).to.equal(hmac(rejected.text))
  })

  it('does not return its API key to an unauthenticated client', async () => {
    const response = await simulator.api('POST', '/v1/sessions', {
      body,
      headers: { 'x-auth-client': unknownId },
    })
    expect(JSON.stringify([...response.headers])).to.not.contain(apiKey)
  })

  it('submits a session by PATCH once, and sends event 7002', async () => {
    const { id } = await simulator.createSession()
    const submit = { body: { verification: { status: 'submitted' } } }
    const wrong = await simulator.api('PATCH', `/v1/sessions/${id}`, {
      body: { verification: { status: 'done' } },
    })
    expect(wrong.json.code).to.equal('1303')
    const before = simulator.receiver.received.length
    const response = await simulator.api('PATCH', `/v1/sessions/${id}`, submit)
    expect(response.status).to.equal(200)
    expect(response.json.verification).to.include({ id, status: 'submitted' })
    expect(simulator.receiver.received.slice(before).map(one => one.json.code)).to.deep.equal([7002])
    expect((await simulator.api('PATCH', `/v1/sessions/${id}`, submit)).json.code).to.equal('1304')
  })

  it('lists the attempts of a session', async () => {
    const { id } = await simulator.createSession()
    const empty = await simulator.api('GET', `/v1/sessions/${id}/attempts`)
    expect(empty.json.verifications).to.deep.equal([])
    await simulator.control('POST', `/sessions/${id}/open`)
    const response = await simulator.api('GET', `/v1/sessions/${id}/attempts`)
    expect(response.json.verifications).to.have.length(1)
    expect(response.json.verifications[0]).to.include({ status: 'started' })
  })

  it('returns 404 for an unknown path', async () => {
    expect((await simulator.api('GET', '/v1/nothing')).status).to.equal(404)
  })
})
