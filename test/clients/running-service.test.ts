import { expect } from 'chai'
import { AgeVerificationClient, verifyWebhook } from '#clients/typescript/src/index.ts'
import { TokenVerifier } from '#clients/typescript/src/offline/token-verifier.ts'
import { forTenant } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { revealWebhookSecret, rotateWebhookSecret } from '#domain/tenant/rotate-webhook-secret.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { createLog } from '#server/logging/log.ts'
import { startDeliveryWorker } from '../harness/delivery-worker.ts'
import { eventually } from '../harness/eventually.ts'
import { control, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useService, useTenant } from '../harness/use-service.ts'
import { createFakeSender, serverError } from '../server/webhooks/queue/fake-sender.ts'

describe('The TypeScript client, with a running service', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  const tenant = useTenant(service)
  let client: AgeVerificationClient
  before(() => {
    client = new AgeVerificationClient({ baseUrl: service.baseUrl, apiKey: tenant.apiKey })
  })

  const scope = () => forTenant(service.operator(), tenant.tenantId)
  const decided = (outcome: string) => tenantClient(service, tenant).decided(outcome)
  /** As a process that has no status list yet. */
  const offline = (token: string) =>
    new TokenVerifier({ issuer: service.baseUrl }).verify(token, { audience: tenant.tenantId })

  it('waits until an adult is approved, with a token that is valid online and offline', async () => {
    const { verificationId } = await client.start()
    const pending = { status: 'pending', over18: null, completedAt: null }
    expect(await client.status(verificationId)).to.include(pending)
    const waiting = client.waitForCompletion(verificationId, { pollingIntervalMs: 20 })
    await control(service, verificationId, 'decide', { outcome: 'approve-adult' })
    const { status, over18, confidence, token } = await waiting
    expect({ status, over18, confidence }).to.deep.equal({ status: 'approved', over18: true, confidence: 1 })
    const valid = { valid: true, over18: true, reason: 'OK' }
    expect(await client.validateToken(token!)).to.deep.equal(valid)
    const { claims, ...result } = await offline(token!)
    expect(result).to.deep.equal(valid)
    const expected = { iss: service.baseUrl, sub: verificationId, aud: tenant.tenantId, over18: true }
    expect(claims).to.include(expected)
  })

  it('does not take an approved minor for an adult', async () => {
    const { status, over18, token } = await client.waitForCompletion(await decided('approve-minor'))
    expect({ status, over18 }).to.deep.equal({ status: 'approved', over18: false })
    const invalid = { valid: false, over18: false, reason: 'UNDERAGE_OR_UNKNOWN' }
    expect(await client.validateToken(token!)).to.deep.equal(invalid)
    expect(await offline(token!)).to.deep.equal(invalid)
  })

  it('takes a revoked token for invalid, online and offline', async () => {
    const verificationId = await decided('approve-adult')
    const { token } = await client.status(verificationId)
    await revokeToken(scope(), { verificationId })
    // Processes cache a status list for this long.
    clock.advance(5_000)
    const revoked = { valid: false, over18: false, reason: 'TOKEN_REVOKED' }
    expect(await client.validateToken(token!)).to.deep.equal(revoked)
    expect(await offline(token!)).to.deep.equal(revoked)
    const { over18, token: current, tokenRevokedAt } = await client.waitForCompletion(verificationId)
    expect({ over18, current }).to.deep.equal({ over18: null, current: undefined })
    expect(tokenRevokedAt).to.be.a('string')
  })

  it('verifies the event that the service sends, with the new and with the old secret', async () => {
    await setWebhookUrl(scope(), { url: 'https://receiver.example/webhooks' })
    const { webhookSecret: old } = await revealWebhookSecret(scope())
    const { webhookSecret: secret } = await rotateWebhookSecret(scope())
    const verificationId = await decided('approve-adult')
    const sender = createFakeSender(() => serverError)
    const worker = startDeliveryWorker(service, { sender, log: createLog('silent') })
    await eventually(() => {
      clock.advance(1)
      return sender.requests.length >= 2
    })
    await worker.close()
    for (const [attempt, { body, headers }] of sender.requests.slice(0, 2).entries()) {
      const given = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
      const event = await verifyWebhook(body, given, attempt === 0 ? secret : old)
      expect(event).to.deep.include({ event: 'verification.completed', tenantId: tenant.tenantId })
      const data = { verificationId, status: 'approved', confidence: 1, provider: 'veriff' }
      expect(event.data).to.deep.equal(data)
    }
  })
})
