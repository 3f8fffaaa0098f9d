import { expect } from 'chai'
import { signature } from '#server/veriff/signature.ts'
import { expectError } from '../harness/expect-error.ts'
import { decisionOn, eventOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { stored } from '../harness/stored.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

const oneMebibyte = 1024 * 1024
const deep = 100_000

/** `test/server/veriff/` has every form of a signature and of a body. */
describe('POST /verify/callback', () => {
  const service = useService()
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  async function newSession() {
    return await sessionOf(service, (await client.start()).body.verificationId)
  }

  const statusOf = async (verificationId: string) => (await client.status(verificationId)).body.status

  it('needs a signature only: no tenant key, no media type and no rate limit apply', async () => {
    const session = await newSession()
    const text = JSON.stringify(eventOn(session, 7001))
    const headers = {
      'vrf-auth-client': service.veriff.apiKey,
      'vrf-hmac-signature': signature(text, service.veriff.sharedSecret).toUpperCase(),
      'content-type': 'text/plain',
    }
    const response = await sendCallback(service, text, { headers })
    expect(response.status).to.equal(200)
    expect(response.body).to.deep.equal({ received: true })
    expect(response.headers.has('x-ratelimit-limit')).to.equal(false)
    expect(await statusOf(session.vendorData)).to.equal('started')
  })

  it('rejects another signature, and one over other bytes with the same meaning, and changes nothing', async () => {
    const session = await newSession()
    const text = JSON.stringify(eventOn(session, 7001))
    const { apiKey, sharedSecret } = service.veriff
    const headers = { 'x-auth-client': apiKey, 'x-hmac-signature': signature(`${text}\n`, sharedSecret) }
    expectError(await sendCallback(service, text, { headers }), 'FORBIDDEN')
    expectError(await sendCallback(service, text, { secret: 'another secret' }), 'FORBIDDEN')
    expect(await statusOf(session.vendorData)).to.equal('pending')
  })

  it('checks the signature before the body', async () => {
    expectError(await sendCallback(service, '{', { secret: 'x' }), 'FORBIDDEN')
  })

  it('returns 200 for JSON of any other shape, and changes nothing', async () => {
    const changes = () => stored(service, 'select id, timeline from verification order by id')
    const before = await changes()
    for (const body of [
      '[]',
      '7001',
      '{"verification":{"id":"a","vendorData":"b","status":"maybe"}}',
      '{"__proto__":{"verification":{"id":"a","status":"approved"}}}',
      `${'['.repeat(deep)}${']'.repeat(deep)}`,
      `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
      '{"id":"\\u0000","code":7001,"vendorData":"\\u0000"}',
      '{"id":"\\ud800","code":7001,"vendorData":"\\udc00"}',
    ]) {
      const response = await sendCallback(service, body)
      expect(response.status, body.slice(0, 60)).to.equal(200)
      expect(response.body).to.deep.equal({ received: true })
    }
    expect(await changes()).to.deep.equal(before)
  })

  it('rejects what is not JSON, and a compressed body, although they are correctly signed', async () => {
    for (const body of ['', '{"id":', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 'id=a&code=7001']) {
      expectError(await sendCallback(service, body), 'INVALID_REQUEST_BODY')
    }
    const headers = {
      'content-encoding': 'gzip',
      'x-auth-client': service.veriff.apiKey,
      'x-hmac-signature': signature('{}', service.veriff.sharedSecret),
    }
    expectError(await sendCallback(service, '{}', { headers }), 'INVALID_REQUEST_BODY')
  })

  it('accepts a body of 1 MiB, and none of one byte more', async () => {
    const session = await newSession()
    const decision = JSON.stringify(decisionOn(session, 'approved'))
    const padded = decision + ' '.repeat(oneMebibyte - decision.length)
    expectError(await sendCallback(service, `${padded} `), 'INVALID_REQUEST_BODY')
    expect(await statusOf(session.vendorData)).to.equal('pending')
    expect((await sendCallback(service, padded)).status).to.equal(200)
    expect(await statusOf(session.vendorData)).to.equal('approved')
  })
})
