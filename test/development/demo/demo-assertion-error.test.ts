import { createServer, type Server } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { DemoAssertionError } from '#development/demo/demo-assertion-error.ts'
import type { DemoContext } from '#development/demo/open-service.ts'
import { createScreen } from '#development/demo/screen.ts'
import { expectValidity, verifyOffline } from '#development/demo/steps/check-token.ts'
import { checkWebhookEvent } from '#development/demo/steps/check-webhook-event.ts'
import { readStatus, startVerification } from '#development/demo/steps/complete-verification.ts'

const verificationId = '01a1faf1-972b-73de-a24b-6adda4cd1da5'
const tenant = {
  tenantId: '01a1faf1-8960-72cc-9565-2b2848daf829',
  apiKey: 'avk_0123456789abcdefghij',
  webhookSecret: 'whsec_secret',
}

describe('the demo with a simulated service', () => {
  let server: Server
  let context: DemoContext
  let simulated: { status: number; json: unknown }
  before(done => {
    server = createServer((_, response) => {
      response.writeHead(simulated.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(simulated.json))
    })
    server.listen(0, '127.0.0.1', () => {
      const address = `http://127.0.0.1:${(server.address() as { port: number }).port}`
      const addresses = {
        baseUrl: address,
        veriffUrl: address,
        eventsUrl: `${address}/events`,
        webhookUrl: `${address}/events`,
      }
      const nowhere = new PassThrough().resume() as unknown as NodeJS.WriteStream
      context = {
        service: { addresses, env: {}, temporary: true, commands: { running: new Set(), stopped: false } },
        screen: createScreen(nowhere),
      }
      done()
    })
  })
  after(() => server.close())

  async function messageOf(status: number, json: unknown, step: () => Promise<unknown>): Promise<string> {
    simulated = { status, json }
    const error = await step().then(
      () => undefined,
      (caught: unknown) => caught,
    )
    expect(error).to.be.instanceOf(DemoAssertionError)
    return (error as DemoAssertionError).message
  }

  it('fails if the start is rejected', async () => {
    const body = { error: 'UNAUTHENTICATED_TENANT', requestId: 'x' }
    const message = await messageOf(401, body, () => startVerification(context, tenant))
    expect(message).to.contain('POST /verify/start responded 401, expected 201')
    expect(message).to.contain('UNAUTHENTICATED_TENANT')
  })

  it('fails if the start returns no sessionUrl', async () => {
    const started = { verificationId, status: 'started', provider: 'veriff', config: {} }
    const message = await messageOf(201, started, () => startVerification(context, tenant))
    expect(message).to.contain('sessionUrl')
  })

  it('fails if the verification is not approved', async () => {
    const denied = { verificationId, status: 'denied', confidence: 0 }
    expect(await messageOf(200, denied, () => readStatus(context, tenant, verificationId))).to.contain(
      'status',
    )
  })

  it('fails if a revoked token is still valid', async () => {
    const valid = { valid: true, over18: true, reason: 'OK' }
    const revoked = { valid: false, over18: false, reason: 'TOKEN_REVOKED' }
    const message = await messageOf(200, valid, () => expectValidity(context, tenant, 'token', revoked))
    expect(message).to.contain('POST /tokens/validate').and.contain('reason')
  })

  it('fails if the webhook event was signed with another secret', async () => {
    const data = { verificationId, status: 'approved', confidence: 1, provider: 'veriff' }
    const body = {
      event: 'verification.completed',
      tenantId: tenant.tenantId,
      data,
      timestamp: '2026-11-20T10:00:00.000Z',
    }
    const headers = { 'x-webhook-event': 'verification.completed', 'x-webhook-signature': 'ab'.repeat(32) }
    const items = [{ receivedAt: body.timestamp, headers, body, raw: JSON.stringify(body) }]
    const message = await messageOf(200, { items }, () => checkWebhookEvent(context, tenant, verificationId))
    expect(message).to.contain('signature is not the HMAC-SHA256')
  })

  it('fails if the published keys do not verify the token', async () => {
    const [signer, published] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
    const status = { status_list: { idx: 0, uri: 'http://127.0.0.1:9/tokens/status-lists/1' } }
    const token = await new SignJWT({ over18: true, status })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setSubject(verificationId)
      .setAudience(tenant.tenantId)
      .setIssuer(context.service.addresses.baseUrl)
      .setJti('j')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(signer.privateKey)
    const keys = [{ ...(await exportJWK(published.publicKey)), kid: 'one', alg: 'ES256' }]
    const message = await messageOf(200, { keys }, () => verifyOffline(context, tenant, token))
    expect(message).to.contain('cannot be verified with the published keys')
    simulated = {
      status: 200,
      json: { keys: [{ ...(await exportJWK(signer.publicKey)), kid: 'one', alg: 'ES256' }] },
    }
    await verifyOffline(context, tenant, token)
  })

  it('fails if the service is unreachable', async () => {
    const addresses = { ...context.service.addresses, baseUrl: 'http://127.0.0.1:9' }
    const unreachable = { ...context, service: { ...context.service, addresses } }
    expect(await messageOf(200, {}, () => startVerification(unreachable, tenant))).to.contain(
      'got no response',
    )
  })
})
