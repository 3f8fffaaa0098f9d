import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { signature } from '#server/providers/veriff/signature.ts'
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
      'content-type': 'text/plain; charset=utf-16',
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

  const encoded = (body: string | Buffer, coding: string) => ({
    'content-encoding': coding,
    'x-auth-client': service.veriff.apiKey,
    'x-hmac-signature': signature(body, service.veriff.sharedSecret),
  })

  it('rejects what is not JSON, and a compressed body, although they are correctly signed', async () => {
    const utf16 = Buffer.from('\ufeff{"code":7001}', 'utf16le')
    for (const body of ['', '{"id":', utf16, 'id=a&code=7001']) {
      expectError(await sendCallback(service, body), 'INVALID_REQUEST_BODY')
    }
    const compressed = gzipSync('{}')
    for (const coding of ['gzip', 'GZIP', 'identity, gzip', 'br', 'zstd', 'x-gzip']) {
      const response = await sendCallback(service, compressed, { headers: encoded(compressed, coding) })
      expectError(response, 'INVALID_REQUEST_BODY')
    }
  })

  it('accepts a byte order mark, and names in another charset', async () => {
    for (const form of ['marked', 'latin1'] as const) {
      const session = await newSession()
      const person = { firstName: 'JÜRGEN', dateOfBirth: '1990-02-03' }
      const text = JSON.stringify(decisionOn(session, 'approved', { person }))
      const bytes = form === 'marked' ? Buffer.from(`\ufeff${text}`) : Buffer.from(text, 'latin1')
      expect((await sendCallback(service, bytes)).status, form).to.equal(200)
      const { body } = await client.status(session.vendorData)
      expect(body, form).to.include({ status: 'approved', over18: true })
    }
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
