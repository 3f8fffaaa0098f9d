import { expect } from 'chai'
import { apiKey, hmac, startTrial, type Trial } from './start.ts'

const unknownId = 'aea9ba6d-1b47-47fc-a4fc-f72b6d3584a7'

describe('the stand-in: the provider’s API', () => {
  let trial: Trial
  before(async () => {
    trial = await startTrial()
  })
  after(() => trial.close())

  it('makes a session and echoes vendorData', async () => {
    const answer = await trial.api('POST', '/v1/sessions', {
      body: { verification: { vendorData: 'case-42' } },
    })
    expect(answer.status).to.equal(201)
    const { status, verification } = answer.json
    expect(status).to.equal('success')
    expect(verification).to.include({ vendorData: 'case-42', status: 'created', host: trial.baseUrl })
    expect(verification.url).to.equal(`${trial.baseUrl}/v/${verification.sessionToken}`)
    expect(trial.receiver.received).to.have.length(0)
  })

  it('makes a session without a signature', async () => {
    const body = JSON.stringify({ verification: {} })
    const headers = { 'x-auth-client': apiKey }
    const response = await fetch(`${trial.baseUrl}/v1/sessions`, { method: 'POST', headers, body })
    expect(response.status).to.equal(201)
  })

  const body = { verification: {} }
  const refusals: [string, string, string, object, number, string][] = [
    ['no API key', 'POST', '/v1/sessions', { body, headers: { 'x-auth-client': '' } }, 401, '1801'],
    [
      'an API key that is no UUID',
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
      'a signature of other bytes',
      'POST',
      '/v1/sessions',
      { body, headers: { 'x-hmac-signature': hmac('x') } },
      401,
      '1819',
    ],
    [
      'a signature that is no hash',
      'POST',
      '/v1/sessions',
      { body, headers: { 'x-hmac-signature': 'zz' } },
      401,
      '1812',
    ],
    ['malformed JSON', 'POST', '/v1/sessions', { body: '{' }, 400, '1104'],
    ['no verification', 'POST', '/v1/sessions', { body: {} }, 400, '1102'],
    [
      'a callback over http',
      'POST',
      '/v1/sessions',
      { body: { verification: { callback: 'http://a.example' } } },
      400,
      '1302',
    ],
    [
      'a callback that is no address',
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
      'an endUserId that is no UUID',
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
      'a poll signed over something else',
      'GET',
      `/v1/sessions/${unknownId}/decision`,
      { headers: { 'x-hmac-signature': hmac('x') } },
      401,
      '1818',
    ],
    ['a poll for an unknown session', 'GET', `/v1/sessions/${unknownId}/decision`, {}, 404, '404'],
    ['a poll for an id that is too short', 'GET', '/v1/sessions/abc/decision', {}, 400, '1001'],
    ['a poll for an id that is no UUID', 'GET', `/v1/sessions/${'x'.repeat(36)}/decision`, {}, 400, '1002'],
    ['deletion, which is off', 'DELETE', `/v1/sessions/${unknownId}`, {}, 400, '1301'],
  ]
  for (const [fault, method, path, options, status, code] of refusals) {
    it(`refuses ${fault} with ${code}`, async () => {
      const answer = await trial.api(method, path, options)
      expect(answer.status).to.equal(status)
      expect(answer.json).to.include({ code })
      expect(answer.json.message).to.be.a('string')
    })
  }

  it('takes an http callback only when it was started to', async () => {
    const lenient = await startTrial({ allowHttpCallback: true })
    const session = await lenient.createSession({ callback: 'http://127.0.0.1/back' })
    expect(session.id).to.be.a('string')
    await lenient.close()
  })

  it('reads the id of the reference signed as the reference says, in either case of hex', async () => {
    const signature = '895cb3fd31139d89aeb7b263682e15479ab57651e70591256ad2c14fde4950dd'
    for (const hex of [signature, signature.toUpperCase()]) {
      const headers = { 'x-hmac-signature': hex }
      const answer = await trial.api('GET', `/v1/sessions/${unknownId}/decision`, { headers })
      expect(answer.status).to.equal(404)
    }
  })

  it('takes a body of the reference signed as the reference says', async () => {
    const text =
      '{"verification":{"callback":"https://veriff.com","person":{"firstName":"John","lastName":"Smith"},"document":{"type":"PASSPORT","country":"EE"},"vendorData":"unique id of the end-user","timestamp":"2016-05-19T08:30:25.597Z"}}'
    const headers = { 'x-hmac-signature': '0dcab73ddd20062616d104231c7439657546a5c24e4691977da93bb854c31e25' }
    const answer = await trial.api('POST', '/v1/sessions', { body: text, headers })
    expect(answer.status).to.equal(201)
  })

  it('takes requests signed with any of its secrets', async () => {
    const rotating = await startTrial({ sharedSecrets: ['new-secret', 'old-secret'] })
    for (const key of ['new-secret', 'old-secret']) {
      const text = JSON.stringify(body)
      const headers = { 'x-hmac-signature': hmac(text, key) }
      expect((await rotating.api('POST', '/v1/sessions', { body: text, headers })).status).to.equal(201)
    }
    await rotating.close()
  })

  it('signs every answer to a known caller over its exact bytes, whatever the order of its keys', async () => {
    const orders = new Set<string>()
    const fields = new Set<string>()
    for (let turn = 0; turn < 6; turn += 1) {
      const answer = await trial.api('POST', '/v1/sessions', { body })
      expect(answer.headers.get('x-auth-client')).to.equal(apiKey)
      expect(answer.headers.get('vrf-auth-client')).to.equal(apiKey)
      expect(answer.headers.get('x-hmac-signature')).to.equal(hmac(answer.text))
      expect(answer.headers.get('vrf-hmac-signature')).to.equal(hmac(answer.text))
      orders.add(Object.keys(answer.json.verification).join())
      for (const field of Object.keys(answer.json)) fields.add(field)
    }
    expect(orders.size).to.equal(2)
    expect(fields.size).to.equal(3)
    const refused = await trial.api('GET', `/v1/sessions/${unknownId}/decision`)
    expect(refused.headers.get('x-hmac-signature')).to.equal(hmac(refused.text))
  })

  it('tells its API key to nobody who does not know it', async () => {
    const answer = await trial.api('POST', '/v1/sessions', { body, headers: { 'x-auth-client': unknownId } })
    expect(JSON.stringify([...answer.headers])).to.not.contain(apiKey)
  })

  it('submits a session by PATCH once, and tells the service', async () => {
    const { id } = await trial.createSession()
    const submit = { body: { verification: { status: 'submitted' } } }
    const wrong = await trial.api('PATCH', `/v1/sessions/${id}`, {
      body: { verification: { status: 'done' } },
    })
    expect(wrong.json.code).to.equal('1303')
    const before = trial.receiver.received.length
    const answer = await trial.api('PATCH', `/v1/sessions/${id}`, submit)
    expect(answer.status).to.equal(200)
    expect(answer.json.verification).to.include({ id, status: 'submitted' })
    expect(trial.receiver.received.slice(before).map(one => one.json.code)).to.deep.equal([7002])
    expect((await trial.api('PATCH', `/v1/sessions/${id}`, submit)).json.code).to.equal('1304')
  })

  it('lists the attempts of a session', async () => {
    const { id } = await trial.createSession()
    const empty = await trial.api('GET', `/v1/sessions/${id}/attempts`)
    expect(empty.json.verifications).to.deep.equal([])
    await trial.control('POST', `/sessions/${id}/open`)
    const answer = await trial.api('GET', `/v1/sessions/${id}/attempts`)
    expect(answer.json.verifications).to.have.length(1)
    expect(answer.json.verifications[0]).to.include({ status: 'started' })
  })

  it('answers an unknown path with 404', async () => {
    expect((await trial.api('GET', '/v1/nothing')).status).to.equal(404)
  })
})
