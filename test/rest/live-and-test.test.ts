import { expect } from 'chai'
import { TokenVerifier } from '#clients/typescript/src/offline/token-verifier.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { providerResult } from '../domain/verification/scripted-provider.ts'
import { expectError } from '../harness/expect-error.ts'
import { decisionOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

/** What an attacker with a test tenant would try on live ones, and the other way round. */
describe('Between test tenants and live ones', () => {
  const service = useService()
  const live = useTenant(service)
  const test = useTenant(service, { test: true })
  const sides = () =>
    [
      { mine: tenantClient(service, live), theirs: tenantClient(service, test) },
      { mine: tenantClient(service, test), theirs: tenantClient(service, live) },
    ] as const

  async function liveToken(): Promise<string> {
    const client = tenantClient(service, live)
    const id = await client.decided('approve-adult')
    return (await client.status(id)).body.token
  }

  async function testToken(): Promise<string> {
    const client = tenantClient(service, test)
    const { body } = await client.start()
    const path = `/test/verifications/${body.verificationId}/outcome`
    return (await client.send(path, { method: 'POST', json: { outcome: 'adult' } })).body.token
  }

  it('no id of the other kind is found, whatever is asked about it', async () => {
    for (const { mine, theirs } of sides()) {
      const { verificationId } = (await theirs.start()).body
      for (const response of [
        await mine.status(verificationId),
        await mine.awaitChange(verificationId, 1),
        await mine.submit(verificationId),
      ]) {
        expectError(response, 'VERIFICATION_NOT_FOUND')
      }
      expect((await theirs.status(verificationId)).body.status).to.equal('pending')
    }
  })

  it('no key works with the beginning of the other kind', async () => {
    for (const apiKey of [
      test.apiKey.replace('avk_test_', 'avk_'),
      live.apiKey.replace('avk_', 'avk_test_'),
    ]) {
      expectError(await tenantClient(service, { apiKey }).start(), 'UNAUTHENTICATED_TENANT')
    }
  })

  it('no idempotency key replays a session of the other kind', async () => {
    for (const { mine, theirs } of sides()) {
      const headers = { 'Idempotency-Key': `order-${live.tenantId}` }
      const [first, second] = [await mine.start({}, headers), await theirs.start({}, headers)]
      expect([first.status, second.status]).to.deep.equal([201, 201])
      expect(first.body.verificationId).to.not.equal(second.body.verificationId)
      const simulated = `${service.baseUrl}/test/sessions/`
      expect([first, second].filter(({ body }) => body.sessionUrl.startsWith(simulated))).to.have.length(1)
    }
  })

  it('no token is valid for the other kind, online or offline', async () => {
    const tokens = { live: await liveToken(), test: await testToken() }
    const issuers = { live: service.baseUrl, test: `${service.baseUrl}/test` }
    for (const [kind, tenant] of Object.entries({ live, test }) as ['live' | 'test', typeof live][]) {
      const other = kind === 'live' ? 'test' : 'live'
      const client = tenantClient(service, tenant)
      expect((await client.validate(tokens[kind])).body).to.include({ valid: true, reason: 'OK' })
      expect((await client.validate(tokens[other])).body).to.include({
        valid: false,
        reason: 'TOKEN_NOT_FOUND',
      })
      const verifier = new TokenVerifier({ issuer: issuers[kind] })
      const audience = tenant.tenantId
      expect(await verifier.verify(tokens[kind], { audience })).to.include({ valid: true })
      expect(await verifier.verify(tokens[other], { audience })).to.include({ valid: false })
    }
  })

  it('no signing key and no status list is published for both', async () => {
    const kidsAt = async (path: string): Promise<string[]> => {
      const { body } = await call(`${service.baseUrl}${path}/.well-known/jwks.json`)
      return body.keys.map(({ kid }: { kid: string }) => kid)
    }
    const [liveKids, testKids] = [await kidsAt(''), await kidsAt('/test')]
    expect(liveKids).to.have.length(1)
    expect(testKids).to.have.length(1)
    expect(liveKids).to.not.deep.equal(testKids)
    const listOf = (token: string): string =>
      JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).status.status_list.uri
    const [real, simulated] = [listOf(await liveToken()), listOf(await testToken())]
    expect([(await call(real)).status, (await call(simulated)).status]).to.deep.equal([200, 200])
    expectError(await call(simulated.replace('/test/', '/')), 'ROUTE_NOT_FOUND')
    expectError(await call(real.replace('/tokens/', '/test/tokens/')), 'ROUTE_NOT_FOUND')
  })

  it('no callback of the real provider decides a test verification', async () => {
    const { verificationId } = (await tenantClient(service, test).start()).body
    const session = await sessionOf(service, verificationId)
    expect((await sendCallback(service, decisionOn(session, 'approved'))).status).to.equal(200)
    const { status } = (await tenantClient(service, test).status(verificationId)).body
    expect(status).to.equal('pending')
  })

  it('no result of the test provider decides a live verification, whatever ids it names', async () => {
    const client = tenantClient(service, live)
    const { verificationId } = (await client.start()).body
    const { sessionId: providerSessionId } = await sessionOf(service, verificationId)
    const result = providerResult('approved', { providerSessionId, vendorData: verificationId })
    const scope = service.services.scopeFor({ kind: 'service' })
    expect(await recordProviderResult(scope, result, { test: true })).to.equal('unmatched')
    expect((await client.status(verificationId)).body.status).to.equal('pending')
    expect(await recordProviderResult(scope, result)).to.equal('applied')
  })
})
