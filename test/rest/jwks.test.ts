import { expect } from 'chai'
import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { statementsDuring } from '../harness/statements-during.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useService, useTenant } from '../harness/use-service.ts'

const oneDayMs = 24 * 60 * 60 * 1000

describe('GET /.well-known/jwks.json', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  const keySet = () => call(`${service.baseUrl}/.well-known/jwks.json`)
  async function approvedToken(outcome = 'approve-adult') {
    const verificationId = await client.decided(outcome)
    return { verificationId, token: (await client.status(verificationId)).body.token as string }
  }

  it('returns public keys only, and needs no tenant key', async () => {
    const { status, headers, body } = await keySet()
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.match(/^application\/json/)
    expect(headers.get('cache-control')).to.equal('public, max-age=60')
    expect(body).to.have.all.keys('keys')
    expect(body.keys).to.have.length.of.at.least(1)
    for (const key of body.keys) {
      expect(key).to.have.all.keys('kty', 'crv', 'x', 'y', 'kid', 'use', 'alg')
      expect(key).to.include({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' })
    }
  })

  it('reads the keys once for concurrent requests', async () => {
    const statements = async () => {
      const sent = await statementsDuring(() => Promise.all(Array.from({ length: 50 }, keySet)))
      return sent.filter(name => name === 'find-published-keys').length
    }
    expect(await statements()).to.be.lessThan(50)
    expect(await statements()).to.be.at.least(1)
  })

  for (const [outcome, over18] of [
    ['approve-adult', true],
    ['approve-minor', false],
    ['approve-unknown-age', false],
  ] as const) {
    it(`verifies the token of ${outcome} offline: over18 is ${over18}, and no claim describes the person`, async () => {
      const { verificationId, token } = await approvedToken(outcome)
      const { payload, protectedHeader } = await jwtVerify(
        token,
        createRemoteJWKSet(new URL(`${service.baseUrl}/.well-known/jwks.json`)),
        { issuer: service.baseUrl, audience: tenant.tenantId, algorithms: ['ES256'], currentDate: clock() },
      )
      expect(payload).to.have.all.keys('iss', 'sub', 'aud', 'jti', 'iat', 'exp', 'over18', 'status')
      expect(payload).to.include({ sub: verificationId, over18 })
      expect(payload.exp! - payload.iat!).to.equal((30 * oneDayMs) / 1000)
      expect(protectedHeader).to.have.all.keys('alg', 'kid', 'typ')
    })
  }

  it('returns a retired key until the last token that it signed has expired', async () => {
    const { token } = await approvedToken()
    const { kid } = decodeProtectedHeader(token)
    const rotated = await rotateSigningKey(service.operator())
    const after = (await keySet()).body
    expect(after.keys.map((key: { kid: string }) => key.kid)).to.deep.equal([rotated.kid, kid])
    await jwtVerify(token, createLocalJWKSet(after), { currentDate: clock() })
    expect(decodeProtectedHeader((await approvedToken()).token).kid).to.equal(kid)
    clock.advance(60_000)
    expect(decodeProtectedHeader((await approvedToken()).token).kid).to.equal(rotated.kid)
    expect((await client.validate(token)).body.reason).to.equal('OK')

    clock.advance(30 * oneDayMs - 2000)
    expect((await keySet()).body.keys).to.have.length(2)
    clock.advance(4000)
    expect((await keySet()).body.keys.map((key: { kid: string }) => key.kid)).to.deep.equal([rotated.kid])
  })

  it('omits a compromised key immediately, and its tokens are revoked', async () => {
    const { token } = await approvedToken()
    const { kid } = decodeProtectedHeader(token)
    expect((await client.validate(token)).body.reason).to.equal('OK')
    const rotated = await rotateSigningKey(service.operator(), { compromised: kid! })
    const kids = (await keySet()).body.keys.map((key: { kid: string }) => key.kid)
    expect(kids).to.include(rotated.kid).and.not.to.include(kid)
    expect((await client.validate(token)).body).to.deep.equal({
      valid: false,
      over18: false,
      reason: 'TOKEN_REVOKED',
    })
    const next = await approvedToken()
    expect(decodeProtectedHeader(next.token).kid).to.equal(rotated.kid)
    expect((await client.validate(next.token)).body.reason).to.equal('OK')
  })
})
