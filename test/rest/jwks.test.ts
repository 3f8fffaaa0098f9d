import { expect } from 'chai'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expectError, expectPublic } from '../harness/expect-error.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useService, useTenant } from '../harness/use-service.ts'

describe('GET /.well-known/jwks.json', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  const keySet = () => call(`${service.baseUrl}/.well-known/jwks.json`)

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

  it('can be read by pages of any site, also those whose browser asks first', async () => {
    const url = `${service.baseUrl}/.well-known/jwks.json`
    const found = await call(url, { headers: { origin: 'https://shop.example' } })
    expectPublic(found)
    const asked = {
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match',
    }
    const allowed = await call(url, { method: 'OPTIONS', headers: asked })
    expect(allowed.status).to.equal(204)
    expect(allowed.headers.get('access-control-allow-headers')).to.equal('*')
    expectPublic(allowed)
    const ofTenants = await call(`${service.baseUrl}/verify/status`, { method: 'OPTIONS', headers: asked })
    expectError(ofTenants, 'ROUTE_NOT_FOUND')
    expect(ofTenants.headers.has('access-control-allow-origin')).to.equal(false)
  })

  for (const [outcome, over18] of [
    ['approve-adult', true],
    ['approve-minor', false],
    ['approve-unknown-age', false],
  ] as const) {
    it(`verifies the token of ${outcome} offline: over18 is ${over18}, and no claim describes the person`, async () => {
      const verificationId = await client.decided(outcome)
      const { token } = (await client.status(verificationId)).body
      const { payload, protectedHeader } = await jwtVerify(
        token,
        createRemoteJWKSet(new URL(`${service.baseUrl}/.well-known/jwks.json`)),
        { issuer: service.baseUrl, audience: tenant.tenantId, algorithms: ['ES256'], currentDate: clock() },
      )
      expect(payload).to.have.all.keys(
        'iss',
        'sub',
        'aud',
        'jti',
        'iat',
        'exp',
        'auth_time',
        'over18',
        'status',
      )
      expect(payload).to.include({ sub: verificationId, over18 })
      expect(payload.exp! - payload.iat!).to.equal(30 * 86_400)
      expect(protectedHeader).to.have.all.keys('alg', 'kid', 'typ')
    })
  }
})
