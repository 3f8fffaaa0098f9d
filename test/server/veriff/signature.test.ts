import { expect } from 'chai'
import fc from 'fast-check'
import { createVeriffCallbacks } from '#server/providers/veriff/open-veriff.ts'
import { isAuthentic, signature } from '#server/providers/veriff/signature.ts'

const secret = 'abcdef12-abcd-abcd-abcd-abcdef012345'
const apiKey = '8b0d1f3c-6f0a-4d5e-9d1c-2f3a4b5c6d7e'
const credentials = { apiKey, sharedSecrets: [secret] }

const vectors = [
  {
    payload:
      '{"verification":{"callback":"https://veriff.com","person":{"firstName":"John","lastName":"Smith"},"document":{"type":"PASSPORT","country":"EE"},"vendorData":"unique id of the end-user","timestamp":"2016-05-19T08:30:25.597Z"}}',
    expected: '0dcab73ddd20062616d104231c7439657546a5c24e4691977da93bb854c31e25',
  },
  {
    payload: 'aea9ba6d-1b47-47fc-a4fc-f72b6d3584a7',
    expected: '895cb3fd31139d89aeb7b263682e15479ab57651e70591256ad2c14fde4950dd',
  },
  {
    payload:
      '{"id":"11111111-2222-4333-8444-555555555555","attemptId":"66666666-7777-4888-8999-aaaaaaaaaaaa","feature":"selfid","code":7001,"action":"started","vendorData":"case-42","endUserId":null}',
    expected: 'ae2ec9e6c3419c01185e597d290dbccad14e83f50fc77025db7874b89383040b',
  },
]
const body = Buffer.from(vectors[2]!.payload)
const good = vectors[2]!.expected
const bad = 'f'.repeat(64)

describe('Veriff signatures', () => {
  for (const { payload, expected } of vectors) {
    it(`computes the same signature as Veriff: ${payload.slice(0, 40)}`, () => {
      expect(signature(payload, secret)).to.equal(expected)
      expect(signature(Buffer.from(payload), secret)).to.equal(expected)
    })
  }

  it('accepts either pair of headers, both pairs, and a mixture', () => {
    for (const client of ['x-auth-client', 'vrf-auth-client']) {
      for (const signed of ['x-hmac-signature', 'vrf-hmac-signature']) {
        expect(isAuthentic({ [client]: apiKey, [signed]: good }, body, credentials)).to.equal(true)
      }
    }
    const both = { 'x-auth-client': apiKey, 'x-hmac-signature': good }
    const vrf = { 'vrf-auth-client': apiKey, 'vrf-hmac-signature': good }
    expect(isAuthentic({ ...both, ...vrf }, body, credentials)).to.equal(true)
  })

  it('accepts the API key in any case, whichever side has it so', () => {
    const [lower, upper] = [apiKey, apiKey.toUpperCase()]
    for (const configured of [lower, upper]) {
      for (const names of [
        { 'x-auth-client': upper },
        { 'x-auth-client': lower, 'vrf-auth-client': upper },
      ]) {
        const headers = { ...names, 'x-hmac-signature': good }
        expect(isAuthentic(headers, body, { ...credentials, apiKey: configured })).to.equal(true)
      }
    }
  })

  it('accepts each configured secret during a rotation, and rejects a removed one', () => {
    const headers = { 'x-auth-client': apiKey, 'x-hmac-signature': good }
    expect(isAuthentic(headers, body, { apiKey, sharedSecrets: ['new', secret] })).to.equal(true)
    expect(isAuthentic(headers, body, { apiKey, sharedSecrets: ['new', 'newer'] })).to.equal(false)
    expect(isAuthentic(headers, body, { apiKey, sharedSecrets: [] })).to.equal(false)
  })

  const rejected: [string, Record<string, string | string[]>][] = [
    ['no headers', {}],
    ['no signature', { 'x-auth-client': apiKey }],
    ['no client', { 'x-hmac-signature': good }],
    ['another client', { 'x-auth-client': `${apiKey.slice(0, -1)}f`, 'x-hmac-signature': good }],
    ['an invalid signature', { 'x-auth-client': apiKey, 'x-hmac-signature': bad }],
    ['a short signature', { 'x-auth-client': apiKey, 'x-hmac-signature': good.slice(2) }],
    ['hex with trailing garbage', { 'x-auth-client': apiKey, 'x-hmac-signature': `${good.slice(2)}zz` }],
    ['a repeated signature', { 'x-auth-client': apiKey, 'x-hmac-signature': `${good}, ${good}` }],
    ['a list of signatures', { 'x-auth-client': apiKey, 'x-hmac-signature': [good] }],
    ['a repeated client', { 'x-auth-client': `${apiKey}, ${apiKey}`, 'x-hmac-signature': good }],
    ['a list of clients', { 'x-auth-client': [apiKey], 'x-hmac-signature': good }],
    [
      'pairs whose signatures disagree',
      { 'x-auth-client': apiKey, 'x-hmac-signature': good, 'vrf-hmac-signature': bad },
    ],
    [
      'pairs with one malformed signature',
      { 'x-auth-client': apiKey, 'x-hmac-signature': good, 'vrf-hmac-signature': 'none' },
    ],
    [
      'pairs whose clients disagree',
      { 'x-auth-client': apiKey, 'vrf-auth-client': 'another', 'x-hmac-signature': good },
    ],
  ]
  for (const [what, headers] of rejected) {
    it(`rejects a request with ${what}`, () => {
      expect(isAuthentic(headers, body, credentials)).to.equal(false)
    })
  }

  it('rejects any change of the bytes, even one without effect on the JSON', () => {
    const headers = { 'x-auth-client': apiKey, 'x-hmac-signature': good }
    expect(isAuthentic(headers, Buffer.from(`${vectors[2]?.payload} `), credentials)).to.equal(false)
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(body)
        changed[at]! ^= flip
        expect(isAuthentic(headers, changed, credentials)).to.equal(false)
      }),
    )
  })

  it('throws for empty credentials, with which anyone could sign', () => {
    for (const wrong of [{ apiKey: '' }, { sharedSecrets: [] }, { sharedSecrets: [secret, ''] }]) {
      expect(() => createVeriffCallbacks({ ...credentials, ...wrong }), JSON.stringify(wrong)).to.throw(
        TypeError,
      )
    }
    expect(() => createVeriffCallbacks(credentials)).not.to.throw()
  })
})
