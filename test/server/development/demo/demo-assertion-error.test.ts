import { createServer, type Server } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { DemoAssertionError } from '#server/development/demo/demo-assertion-error.ts'
import type { Fixture } from '#server/development/demo/demo-context.ts'
import { createScreen } from '#server/development/demo/screen.ts'
import { readEvent } from '#server/development/demo/story/read-event.ts'
import { readStatus } from '#server/development/demo/story/read-status.ts'
import { startVerification } from '#server/development/demo/story/start-verification.ts'
import { askValidity } from '#server/development/demo/story/validate-token.ts'
import { verifyOffline } from '#server/development/demo/story/verify-offline.ts'

const verificationId = '01a1faf1-972b-73de-a24b-6adda4cd1da5'
const tenant = {
  tenantId: '01a1faf1-8960-72cc-9565-2b2848daf829',
  apiKey: 'avk_0123456789abcdefghij',
  webhookSecret: 'whsec_secret',
}

describe('the demo notices', () => {
  let server: Server
  let fixture: Fixture
  let answer: { status: number; json: unknown }
  before(done => {
    server = createServer((_, response) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.json))
    })
    server.listen(0, '127.0.0.1', () => {
      const address = `http://127.0.0.1:${(server.address() as { port: number }).port}`
      const addresses = {
        ...{ baseUrl: address, veriffUrl: address },
        ...{ eventsUrl: `${address}/events`, webhookUrl: `${address}/events` },
      }
      const nowhere = new PassThrough().resume() as unknown as NodeJS.WriteStream
      fixture = {
        service: { addresses, env: {}, ownOne: true },
        screen: createScreen(nowhere),
      }
      done()
    })
  })
  after(() => server.close())

  async function surprise(status: number, json: unknown, play: () => Promise<unknown>): Promise<string> {
    answer = { status, json }
    const error = await play().then(
      () => undefined,
      (fault: unknown) => fault,
    )
    expect(error).to.be.instanceOf(DemoAssertionError)
    return (error as DemoAssertionError).message
  }

  it('a start that is refused', async () => {
    const refused = { error: 'UNAUTHENTICATED_TENANT', requestId: 'x' }
    const message = await surprise(401, refused, () => startVerification(fixture, tenant))
    expect(message).to.contain('POST /verify/start answered 401 where 201 was expected')
    expect(message).to.contain('UNAUTHENTICATED_TENANT')
  })

  it('a start without a sessionUrl', async () => {
    const started = { verificationId, status: 'started', provider: 'veriff', config: {} }
    const message = await surprise(201, started, () => startVerification(fixture, tenant))
    expect(message).to.contain('sessionUrl')
  })

  it('a result that is no approval', async () => {
    const denied = { verificationId, status: 'denied', confidence: 0 }
    expect(await surprise(200, denied, () => readStatus(fixture, tenant, verificationId))).to.contain(
      'status',
    )
  })

  it('a revoked token that is still valid', async () => {
    const valid = { valid: true, over18: true, reason: 'OK' }
    const revoked = { valid: false, over18: false, reason: 'TOKEN_REVOKED' }
    const message = await surprise(200, valid, () => askValidity(fixture, tenant, 'token', revoked))
    expect(message).to.contain('POST /tokens/validate').and.contain('reason')
  })

  it('an event with a signature of another secret', async () => {
    const data = { verificationId, status: 'approved', confidence: 1, provider: 'veriff' }
    const body = {
      event: 'verification.completed',
      tenantId: tenant.tenantId,
      data,
      timestamp: '2026-11-20T10:00:00.000Z',
    }
    const headers = { 'x-webhook-event': 'verification.completed', 'x-webhook-signature': 'ab'.repeat(32) }
    const items = [{ receivedAt: body.timestamp, headers, body, raw: JSON.stringify(body) }]
    const message = await surprise(200, { items }, () => readEvent(fixture, tenant, verificationId))
    expect(message).to.contain('signature is not the HMAC-SHA256')
  })

  it('a token that the published keys did not sign', async () => {
    const [signer, published] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
    const token = await new SignJWT({ over18: true })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setSubject(verificationId)
      .setAudience(tenant.tenantId)
      .setIssuer(fixture.service.addresses.baseUrl)
      .setJti('j')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(signer.privateKey)
    const keys = [{ ...(await exportJWK(published.publicKey)), kid: 'one', alg: 'ES256' }]
    const message = await surprise(200, { keys }, () => verifyOffline(fixture, tenant, token))
    expect(message).to.contain('cannot be verified with the published keys')
    answer = {
      status: 200,
      json: { keys: [{ ...(await exportJWK(signer.publicKey)), kid: 'one', alg: 'ES256' }] },
    }
    await verifyOffline(fixture, tenant, token)
  })

  it('a service that is gone', async () => {
    const gone = { ...fixture.service.addresses, baseUrl: 'http://127.0.0.1:9' }
    const away = { ...fixture, service: { ...fixture.service, addresses: gone } }
    expect(await surprise(200, {}, () => startVerification(away, tenant))).to.contain('got no answer')
  })
})
