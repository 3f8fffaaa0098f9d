import { expect } from 'chai'
import { type ApiResponse, call } from '../../harness/tenant-client.ts'
import { apiKey, type Fixture, hmac, startFixture } from './fixture.ts'

const unknownId = 'aea9ba6d-1b47-47fc-a4fc-f72b6d3584a7'

describe('the Veriff simulator’s API', () => {
  let simulator: Fixture
  before(async () => {
    simulator = await startFixture({ sharedSecrets: ['abcdef12-abcd-abcd-abcd-abcdef012345', 'old-secret'] })
  })
  after(() => simulator.close())

  const create = (verification: object, headers?: object) =>
    simulator.api('POST', '/v1/sessions', { verification }, headers)

  it('creates a session, and sends nothing for it', async () => {
    const { status, body } = await create({ vendorData: 'case-42', person: { firstName: 'Ignored' } })
    expect(status).to.equal(201)
    expect(body.status).to.equal('success')
    const { host, url, sessionToken, ...session } = body.verification
    expect(session).to.include({ vendorData: 'case-42', status: 'created' })
    expect({ host, url }).to.deep.equal({ host: simulator.baseUrl, url: `${host}/v/${sessionToken}` })
    expect(simulator.receiver.received).to.deep.equal([])
  })

  const decision = `/v1/sessions/${unknownId}/decision`
  const signedAs = (signature: string) => ({ 'x-hmac-signature': signature })

  it('refuses what is not from the integration with the provider’s codes, and names its API key to nobody', async () => {
    const refused = async (code: string, status: number, response: Promise<ApiResponse>) => {
      const { headers, body, ...rest } = await response
      expect({ ...rest, code: body.code }).to.include({ status, code })
      if (status === 401) expect(JSON.stringify([...headers])).to.not.contain(apiKey)
    }
    await refused('1803', 401, create({}, { 'x-auth-client': unknownId }))
    for (const signature of ['', 'zz', hmac('x')]) {
      await refused('1819', 401, create({}, signedAs(signature)))
      await refused('1818', 401, simulator.api('GET', decision, undefined, signedAs(signature)))
    }
    await refused('1302', 400, create({ callback: 'http://a.example' }))
    await refused('404', 404, simulator.api('GET', decision))
    await refused('404', 404, simulator.api('DELETE', `/v1/sessions/${unknownId}`))
  })

  it('accepts the signatures of the provider’s documentation, in either case, and of each shared secret', async () => {
    const ofId = '895cb3fd31139d89aeb7b263682e15479ab57651e70591256ad2c14fde4950dd'
    for (const signature of [ofId, ofId.toUpperCase(), hmac(unknownId, 'old-secret')]) {
      expect((await simulator.api('GET', decision, undefined, signedAs(signature))).status).to.equal(404)
    }
    const text =
      '{"verification":{"callback":"https://veriff.com","person":{"firstName":"John","lastName":"Smith"},"document":{"type":"PASSPORT","country":"EE"},"vendorData":"unique id of the end-user","timestamp":"2016-05-19T08:30:25.597Z"}}'
    const ofBody = '0dcab73ddd20062616d104231c7439657546a5c24e4691977da93bb854c31e25'
    expect((await simulator.api('POST', '/v1/sessions', text, signedAs(ofBody))).status).to.equal(201)
  })

  it('signs responses over their exact bytes, in varying order and with unknown fields', async () => {
    const orders = new Set<string>()
    for (let count = 0; count < 4; count += 1) {
      const { headers, body } = await create({})
      for (const name of ['x', 'vrf']) {
        expect(headers.get(`${name}-auth-client`)).to.equal(apiKey)
        expect(headers.get(`${name}-hmac-signature`)).to.equal(hmac(JSON.stringify(body)))
      }
      orders.add(Object.keys(body).join())
    }
    expect([...orders]).to.have.members(['status,verification', 'requestTrace,verification,status'])
    const rejected = await simulator.api('GET', decision)
    expect(rejected.headers.get('x-hmac-signature')).to.equal(hmac(JSON.stringify(rejected.body)))
  })

  it('fails as it is told to, and creates no session then', async () => {
    const sessions = async () => (await simulator.control('GET', '/sessions')).body.sessions.length
    const before = await sessions()
    for (const [mode, expected] of [
      ['error-503', 503],
      ['garbage', 200],
      ['unreachable', 'fetch failed'],
    ] as const) {
      await simulator.control('PUT', '/mode', { createSession: mode })
      const { status, message, body } = await create({}).catch(error => error)
      expect(status ?? message, mode).to.equal(expected)
      expect(body?.verification).to.equal(undefined)
    }
    expect(await sessions()).to.equal(before)
    for (const mode of [{ createSession: 'error-999' }, { createSession: 'disabled' }, { create: 'ok' }]) {
      expect((await simulator.control('PUT', '/mode', mode)).status).to.equal(400)
    }
    for (const mode of ['wrong-signature', 'unsigned']) {
      await simulator.control('PUT', '/mode', { createSession: mode })
      const { status, headers, body } = await create({})
      expect(status).to.equal(201)
      expect(headers.has('x-hmac-signature')).to.equal(mode === 'wrong-signature')
      expect(headers.get('x-hmac-signature')).to.not.equal(hmac(JSON.stringify(body)))
    }
    await simulator.control('PUT', '/mode', { createSession: 'every-third' })
    const statuses = [(await create({})).status, (await create({})).status, (await create({})).status]
    expect(statuses.toSorted()).to.deep.equal([201, 503, 503])
    await simulator.control('PUT', '/mode', {})
  })

  it('takes only JSON on the control routes, because any website can send forms', async () => {
    for (const path of ['/sessions/x/decide', '/sessions/x/deliver', '/deliveries/release']) {
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      for (const headers of [{}, form]) {
        const sent = await call(`${simulator.baseUrl}/control${path}`, {
          method: 'POST',
          raw: 'a=b',
          headers,
        })
        expect(sent.status, path).to.equal(415)
      }
    }
  })
})
