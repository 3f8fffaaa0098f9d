import { expect } from 'chai'
import { secretForAttempt, signEvent } from '#domain/webhook/signature.policy.ts'
import { webhookVectors } from '../../clients/test-vectors.ts'

describe('Webhook event signatures', () => {
  it('are HMAC-SHA256 in lower-case hex (RFC 4231, test case 2)', () => {
    expect(signEvent('what do ya want for nothing?', 'Jefe')).to.equal(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })

  it('use the whole secret as it is displayed, prefix included', () => {
    const signature = signEvent('{}', 'whsec_c2VjcmV0')
    expect(signature).not.to.equal(signEvent('{}', 'c2VjcmV0'))
    expect(signature).not.to.equal(signEvent('{}', 'secret'))
  })

  it('cover the exact bytes, and are equal for a text and its UTF-8 bytes', () => {
    expect(signEvent('{"name":"Zoë"}', 'k')).to.equal(signEvent(Buffer.from('{"name":"Zoë"}'), 'k'))
    expect(signEvent('{"a":1}', 'k')).not.to.equal(signEvent('{"a": 1}', 'k'))
  })

  for (const { name, secrets, body, headers, reason } of webhookVectors) {
    const given = headers.filter(([header]) => header.toLowerCase() === 'x-webhook-signature')
    if (given.length !== 1 || reason === 'signature_malformed') continue
    const isOurs = reason !== 'signature_mismatch'
    it(`are ${isOurs ? 'those' : 'not that'} of the test vectors: ${name}`, () => {
      const ours = secrets.map(secret => signEvent(Buffer.from(body, 'base64'), secret))
      expect(ours.includes(given[0]![1].toLowerCase())).to.equal(isOurs)
    })
  }
})

describe('The secret of an attempt', () => {
  const secretsOf = (...secrets: string[]) => [1, 2, 3].map(attempt => secretForAttempt(secrets, attempt))

  it('is always the only one there is', () => expect(secretsOf('new')).to.deep.equal(['new', 'new', 'new']))

  it('is new, old, new during the grace period, so that a receiver with either gets the event', () => {
    expect(secretsOf('new', 'old')).to.deep.equal(['new', 'old', 'new'])
  })

  it('is new, old, older after a second rotation within the grace period', () => {
    expect(secretsOf('new', 'old', 'older')).to.deep.equal(['new', 'old', 'older'])
  })

  it('is required', () => {
    expect(() => secretForAttempt([], 1)).to.throw(RangeError, 'No secret')
    for (const attempt of [0, -1, 1.5, Number.NaN]) {
      expect(() => secretForAttempt(['new'], attempt)).to.throw(RangeError, 'no attempt')
    }
  })
})
