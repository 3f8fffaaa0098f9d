import { expect } from 'chai'
import { signature } from '#server/veriff/signature.ts'
import { expectError } from '../harness/expect-error.ts'
import { decisionOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { stored } from '../harness/stored.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

const oneMebibyte = 1024 * 1024

describe('POST /verify/callback', () => {
  const service = useService()
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  const changes = () => stored(service, 'select id, timeline from verification order by id')

  for (const [title, body] of [
    ['an array', '[]'],
    ['a number', '7001'],
    ['an empty object', '{}'],
    ['an unknown event', '{"id":"a","code":7003,"vendorData":"b"}'],
    ['a decision of an unknown status', '{"verification":{"id":"a","vendorData":"b","status":"maybe"}}'],
    ['a decision without a session', '{"verification":{"vendorData":"b","status":"approved"}}'],
    ['a session that is no text', '{"verification":{"id":{"$ne":1},"vendorData":"b","status":"approved"}}'],
    ['a status of the user-defined kind', '{"data":{"verification":{"id":"a","userDefinedData":{}}}}'],
    ['__proto__', '{"__proto__":{"verification":{"id":"a","status":"approved"}}}'],
    ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['deep objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['escaped NULs', '{"id":"\\u0000","code":7001,"vendorData":"\\u0000"}'],
    ['lone surrogates', '{"id":"\\ud800","code":7001,"vendorData":"\\udc00"}'],
  ] as const) {
    it(`returns 200 for ${title} and changes nothing`, async () => {
      const before = await changes()
      const response = await sendCallback(service, body)
      expect(response.status).to.equal(200)
      expect(response.body).to.deep.equal({ received: true })
      expect(await changes()).to.deep.equal(before)
    })
  }

  for (const [title, body] of [
    ['nothing', ''],
    ['half an object', '{"id":'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['form fields', 'id=a&code=7001'],
  ] as const) {
    it(`rejects ${title}, although it is correctly signed`, async () => {
      expectError(await sendCallback(service, body), 'INVALID_REQUEST_BODY')
    })
  }

  it('accepts a body of 1 MiB', async () => {
    const verificationId = (await client.start()).body.verificationId
    const decision = decisionOn(await sessionOf(service, verificationId), 'approved')
    const bare = JSON.stringify({ ...decision, padding: '' })
    const body = JSON.stringify({ ...decision, padding: 'x'.repeat(oneMebibyte - bare.length) })
    expect(body).to.have.length(oneMebibyte)
    expect((await sendCallback(service, body)).status).to.equal(200)
    expect((await client.status(verificationId)).body.status).to.equal('approved')
  })

  it('rejects a body of 1 MiB and one byte', async () => {
    const body = JSON.stringify({ padding: 'x'.repeat(oneMebibyte - 13 + 1) })
    expect(body.length).to.be.within(oneMebibyte + 1, oneMebibyte + 3)
    expectError(await sendCallback(service, body), 'INVALID_REQUEST_BODY')
  })

  it('rejects a compressed body', async () => {
    const response = await call(`${service.baseUrl}/verify/callback`, {
      method: 'POST',
      raw: '{}',
      headers: {
        'content-encoding': 'gzip',
        'x-auth-client': service.veriff.apiKey,
        'x-hmac-signature': signature('{}', service.veriff.sharedSecret),
      },
    })
    expectError(response, 'INVALID_REQUEST_BODY')
  })
})
