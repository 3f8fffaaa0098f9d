import { expect } from 'chai'
import { signature } from '#server/veriff/signature.ts'
import { expectError } from '../harness/expect-error.ts'
import { type CallbackOptions, eventOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

/** Headers with a client name and a signature over the event's text. */
type Headers = (client: string, signed: string) => Record<string, string>

const accepted: [string, Headers][] = [
  ['the x- pair', (client, signed) => ({ 'x-auth-client': client, 'x-hmac-signature': signed })],
  ['the vrf- pair', (client, signed) => ({ 'vrf-auth-client': client, 'vrf-hmac-signature': signed })],
  [
    'both pairs',
    (client, signed) => ({
      'x-auth-client': client,
      'x-hmac-signature': signed,
      'vrf-auth-client': client,
      'vrf-hmac-signature': signed,
    }),
  ],
  [
    'an upper-case signature',
    (client, signed) => ({ 'x-auth-client': client, 'x-hmac-signature': signed.toUpperCase() }),
  ],
]

describe('The signature of POST /verify/callback', () => {
  const service = useService()
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  /** Sends the event "started" for a new verification. Returns the response and the status afterwards. */
  async function sendStarted(options: (text: string) => CallbackOptions) {
    const { verificationId } = (await client.start()).body
    const text = JSON.stringify(eventOn(await sessionOf(service, verificationId), 7001))
    const response = await sendCallback(service, text, options(text))
    return { response, status: (await client.status(verificationId)).body.status }
  }

  const headersFor = (make: Headers) => (text: string) => ({
    headers: make(service.veriff.apiKey, signature(text, service.veriff.sharedSecret)),
  })

  for (const [title, make] of accepted) {
    it(`accepts ${title}`, async () => {
      const { response, status } = await sendStarted(headersFor(make))
      expect(response.status).to.equal(200)
      expect(response.body).to.deep.equal({ received: true })
      expect(status).to.equal('started')
    })
  }

  it('rejects a wrong signature, and one made with another secret, and changes nothing', async () => {
    for (const secret of ['', 'another secret']) {
      const { response, status } = await sendStarted(() => ({ secret }))
      expectError(response, 'FORBIDDEN')
      expect(status).to.equal('pending')
    }
  })

  it('rejects a signature over other bytes with the same meaning', async () => {
    const { response } = await sendStarted(text => ({
      headers: {
        'x-auth-client': service.veriff.apiKey,
        'x-hmac-signature': signature(`${text}\n`, service.veriff.sharedSecret),
      },
    }))
    expectError(response, 'FORBIDDEN')
  })

  it('is checked before the body: an unsigned malformed body gets FORBIDDEN', async () => {
    expectError(await sendCallback(service, '{', { secret: 'x' }), 'FORBIDDEN')
  })

  it('is enough: no tenant key, no content type and no rate limit apply', async () => {
    const { response } = await sendStarted(
      headersFor((client, signed) => ({
        'x-auth-client': client,
        'x-hmac-signature': signed,
        'content-type': 'text/plain',
      })),
    )
    expect(response.status).to.equal(200)
    expect(response.headers.has('x-ratelimit-limit')).to.equal(false)
  })

  it("cannot be replaced by a tenant's key", async () => {
    const response = await sendCallback(service, '{}', { headers: { 'x-tenant-api-key': tenant.apiKey } })
    expectError(response, 'FORBIDDEN')
  })
})
