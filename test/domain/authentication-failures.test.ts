import { expect } from 'chai'
import {
  addressBlock,
  createAuthenticationFailures,
  failuresPerMinute,
} from '#domain/authentication-failures.ts'
import { DomainError } from '#domain/errors.ts'
import { createMemoryRateLimiter } from '#server/admission/memory-rate-limiter.ts'

describe('Failed authentications', () => {
  const now = new Date('2026-11-20T12:00:15.000Z')
  const error = new DomainError('UNAUTHENTICATED_TENANT')

  it('keep their error 60 times a minute and address, and get RATE_LIMIT_EXCEEDED until the minute ends', async () => {
    const failures = createAuthenticationFailures(createMemoryRateLimiter())
    const record = (address: string, at = now) => failures.record(address, error, at)
    const limited = { code: 'RATE_LIMIT_EXCEEDED', details: { retryAfterSeconds: 45 } }
    expect(failuresPerMinute).to.equal(60)
    for (let count = 0; count < 60; count++) {
      await failures.assertBelowLimit('203.0.113.7', now)
      expect(await record('203.0.113.7')).to.equal(error)
    }
    expect(await record('203.0.113.7')).to.deep.include(limited)
    const rejection = await failures.assertBelowLimit('203.0.113.7', now).catch(reason => reason)
    expect(rejection).to.deep.include(limited)
    expect(await record('203.0.113.8')).to.equal(error)
    expect(await record('203.0.113.7', new Date('2026-11-20T12:01:00.000Z'))).to.equal(error)
  })

  it('keep their error while they cannot be counted', async () => {
    const unavailable = () => Promise.reject(new DomainError('REDIS_ERROR'))
    const failures = createAuthenticationFailures({ hit: unavailable, count: unavailable })
    expect(await failures.record('203.0.113.7', error, now)).to.equal(error)
  })

  for (const [title, address, block] of [
    ['an IPv4 address', '203.0.113.7', '203.0.113.7'],
    ['an IPv4 address in IPv6 form', '::ffff:203.0.113.7', '203.0.113.7'],
    ['the /64 network of an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['the same network of a neighbor', '2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['another network for the next one', '2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['nothing, for a closed connection', '', ''],
  ]) {
    it(`are counted by ${title}`, () => {
      expect(addressBlock(address!)).to.equal(block)
    })
  }
})
