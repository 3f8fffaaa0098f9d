import { expect } from 'chai'
import { signature } from '#server/veriff/signature.ts'
import { expectError } from '../harness/expect-error.ts'
import { type CallbackOptions, eventOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

/** Headers with a client name and a signature over the event's text. */
type Headers = (client: string, signed: string) => Record<string, string>

const wrongHex = 'a'.repeat(64)

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

const rejected: [string, Headers][] = [
  ['no headers', () => ({})],
  ['a signature alone', (_, signed) => ({ 'x-hmac-signature': signed })],
  ['a client alone', client => ({ 'x-auth-client': client })],
  ['a wrong signature', client => ({ 'x-auth-client': client, 'x-hmac-signature': wrongHex })],
  ['an empty signature', client => ({ 'x-auth-client': client, 'x-hmac-signature': '' })],
  [
    'half a signature',
    (client, signed) => ({ 'x-auth-client': client, 'x-hmac-signature': signed.slice(32) }),
  ],
  [
    'a signature in base64',
    (client, signed) => ({
      'x-auth-client': client,
      'x-hmac-signature': Buffer.from(signed, 'hex').toString('base64'),
    }),
  ],
  [
    'a signature with sha256= before it',
    (client, signed) => ({ 'x-auth-client': client, 'x-hmac-signature': `sha256=${signed}` }),
  ],
  ["another client's name", (_, signed) => ({ 'x-auth-client': 'other', 'x-hmac-signature': signed })],
  [
    'pairs with different signatures',
    (client, signed) => ({
      'x-auth-client': client,
      'x-hmac-signature': signed,
      'vrf-auth-client': client,
      'vrf-hmac-signature': wrongHex,
    }),
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

  for (const [title, make] of rejected) {
    it(`rejects ${title} and changes nothing`, async () => {
      const { response, status } = await sendStarted(headersFor(make))
      expectError(response, 'FORBIDDEN')
      expect(status).to.equal('pending')
    })
  }

  it('rejects a signature made with another secret', async () => {
    const { response, status } = await sendStarted(() => ({ secret: 'another secret' }))
    expectError(response, 'FORBIDDEN')
    expect(status).to.equal('pending')
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
