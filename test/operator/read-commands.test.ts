import { expect } from 'chai'
import { verifyEvidence } from '#clients/typescript/src/offline/token-verifier.ts'
import { forTenant } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { stored } from '../harness/stored.ts'
import { call, control, tenantClient } from '../harness/tenant-client.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'
import { operatorOn } from './operate.ts'

const webhookUrl = 'https://receiver.example.com/hook'
const unknownId = '01a00000-0000-7000-8000-000000000000'

describe('the operator’s reading commands', () => {
  let stopped: Date | undefined
  afterEach(() => {
    stopped = undefined
  })
  const service = useService({ clock: () => stopped ?? new Date() })
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  beforeEach(() => setWebhookUrl(forTenant(service.operator(), tenant.tenantId), { url: webhookUrl }))

  const operator = operatorOn(() => ({ DATABASE_URL: service.databaseUrl }))
  const text = async (...args: string[]) => (await operator.text(...args)).out
  const { json } = operator
  const error = async (...args: string[]) => (await operator.error(...args)).message
  const listedIds = async (...args: string[]) =>
    (await json(...args)).map((item: { verificationId: string }) => item.verificationId)

  /** Stores what a worker stores after an attempt. */
  const attempted = (verificationId: string, attempts: number, state: string, failure: string | null) =>
    stored(
      service,
      `update delivery set state = $2, attempts = $3, failure = $4, attempted_at = '2026-11-22T10:00:00Z',
         due_at = '2026-11-22T10:01:00Z' where verification_id = $1`,
      [verificationId, state, attempts, failure],
    )
  const show = (verificationId: string) => json('verification', 'show', '--verification', verificationId)
  const listVerifications = () => ['verification', 'list', '--tenant', tenant.tenantId]

  it('print the evidence of a month, which the published keys verify', async () => {
    stopped = new Date()
    await client.decided('approve-adult')
    const month = stopped.toISOString().slice(0, 7)
    const jws = await text('tenant', 'evidence', '--tenant', tenant.tenantId, '--month', month)
    const { body: statement } = await call(`${service.baseUrl}/practice-statement.json`)
    const { body: jwks } = await call(`${service.baseUrl}/.well-known/jwks.json`)
    const kept = { issuer: service.baseUrl, audience: tenant.tenantId, jwks }
    const { claims } = await verifyEvidence(jws.trim(), kept)
    const isOver = new Date(claims!.iat * 1000).toISOString().slice(0, 7) !== month
    expect(claims).to.include({ month, complete: isOver, statement: statement.sha256 })
    expect(claims?.counts).to.include({ started: 1, approved: 1, over18: 1, adultsByDate: 1 })
    const malformed = ['tenant', 'evidence', '--tenant', tenant.tenantId, '--month', 'November']
    expect(await error(...malformed)).to.include('YYYY-MM')
  })

  it('answer in one command why a verification was denied, and when the tenant was notified', async () => {
    const person = { ip: '203.0.113.201', userAgent: 'Browser of a person' }
    const { verificationId } = (await client.start(person)).body
    await control(service, verificationId, 'open')
    await control(service, verificationId, 'submit')
    await control(service, verificationId, 'decide', { outcome: 'decline', reasonCode: 106 })
    await attempted(verificationId, 2, 'delivered', null)
    const shown = await show(verificationId)
    const { status, completedAt } = (await client.status(verificationId)).body
    expect(shown).to.deep.include({
      verificationId,
      tenantId: tenant.tenantId,
      status,
      completedAt,
      token: null,
    })
    const fraud = 'the user or the document is linked to known fraud'
    expect(shown.explanation).to.equal(
      `Denied since ${completedAt}: the provider declined the verification (9102) with reason 106: ${fraud}.`,
    )
    expect(shown.notification).to.equal('The tenant was notified at 2026-11-22T10:00:00.000Z, by attempt 2.')
    expect(shown.delivery).to.include({
      state: 'delivered',
      attempts: 2,
      notifiedAt: '2026-11-22T10:00:00.000Z',
    })
    const steps = shown.timeline.map((change: Record<string, unknown>) => [
      change.status,
      change.source,
      change.code,
    ])
    expect(steps).to.deep.equal([
      ['pending', 'service', null],
      ['started', 'provider', 7001],
      ['submitted', 'provider', 7002],
      ['denied', 'provider', 9102],
    ])
    const reason = 'The user or the document is linked to known fraud'
    expect(shown.timeline.at(-1)).to.include({ reasonCode: '106', reason, applied: true })
    const printed = await text('verification', 'show', '--verification', verificationId)
    expect(printed).to.match(
      /^Explanation +Denied since .* reason 106: the user or the document is linked to known fraud\.$/m,
    )
    expect(printed).to.match(
      / denied +provider +yes +1 +9102 +The provider declined the verification +106 +The user or the document is linked to known fraud$/m,
    )
    for (const trace of [person.ip, person.userAgent, 'ANNA']) {
      expect(`${JSON.stringify(shown)} ${printed}`).not.to.include(trace)
    }
  })

  it('tell of an approved verification when its token ends, but not the token', async () => {
    const verificationId = await client.decided('approve-adult')
    const { token } = (await client.status(verificationId)).body
    const shown = await show(verificationId)
    expect(shown).to.include({ status: 'approved', over18: true, confidence: 1 })
    expect(shown.token)
      .to.include({ revokedAt: null })
      .and.to.have.all.keys('jti', 'kid', 'issuedAt', 'expiresAt', 'revokedAt')
    expect(JSON.stringify(shown)).not.to.include(token.split('.')[2])
    const revoke = ['token', 'revoke', '--verification', verificationId]
    const revocation = await json(...revoke)
    expect(revocation).to.have.all.keys('verificationId', 'jti', 'revokedAt')
    expect(revocation).to.include({ verificationId, jti: shown.token.jti })
    expect(await json(...revoke)).to.deep.equal(revocation)
    const revoked = await show(verificationId)
    expect(revoked.token.revokedAt).to.be.a('string')
    const said = { status: 'approved', over18: null, tokenRevokedAt: revoked.token.revokedAt }
    expect(revoked).to.include(said)
    const [listed] = await json(...listVerifications(), '--search', verificationId)
    expect(listed).to.include(said)
    const { body } = await client.status(verificationId)
    expect(body).to.include(said).and.not.have.property('token')
  })

  it('count and list deliveries by tenant and state', async () => {
    const [failed, waiting, delivered] = [
      await client.decided('decline'),
      await client.decided('approve-adult'),
      await client.decided('approve-minor'),
    ]
    await attempted(failed, 3, 'failed', 'tls_wrong_host')
    await attempted(waiting, 1, 'waiting', 'tls_wrong_host')
    await attempted(delivered, 1, 'delivered', null)
    const ofTenant = ['--tenant', tenant.tenantId]
    const counted = await json('delivery', 'stats', ...ofTenant)
    expect(counted).to.deep.include({ new: 0, waiting: 1, inFlight: 0, delivered: 1, failed: 1 })
    expect(counted.oldestDueAt).to.equal('2026-11-22T10:01:00.000Z')
    expect(counted.tenants).to.deep.equal([
      {
        tenantId: tenant.tenantId,
        name: 'Test tenant',
        waiting: 1,
        inFlight: 0,
        failed: 1,
        oldestDueAt: '2026-11-22T10:01:00.000Z',
        failure: 'tls_wrong_host',
      },
    ])
    const ids = (...options: string[]) => listedIds('delivery', 'list', ...options)
    expect(await ids(...ofTenant)).to.deep.equal([delivered, waiting, failed])
    expect(await ids(...ofTenant, '--limit', '1', '--after', delivered)).to.deep.equal([waiting])
    expect(await ids(...ofTenant, '--state', 'failed')).to.deep.equal([failed])
    const { completedAt } = (await client.status(failed)).body
    const inPeriod = ['--state', 'failed', '--from', completedAt]
    const [told, ...others] = await json('delivery', 'list', ...ofTenant, ...inPeriod)
    expect(told).to.include({ verificationId: failed, status: 'denied', createdAt: completedAt })
    expect(others).to.deep.equal([])
    expect(await ids(...ofTenant, '--to', completedAt)).to.deep.equal([])
    const [listed] = await json('delivery', 'list', ...ofTenant, '--state', 'waiting')
    expect(listed).to.include({
      attempts: 1,
      failure: 'tls_wrong_host',
      nextAttemptAt: '2026-11-22T10:01:00.000Z',
    })
    expect((await json('delivery', 'stats')).delivered).to.be.at.least(1)
    expect(await text('delivery', 'stats', ...ofTenant)).to.match(/^Waiting +1$/m)
    expect(await error('delivery', 'list', '--after', unknownId)).to.match(/No delivery belongs/)
    expect(await error('delivery', 'list', '--tenant', '1')).to.match(/No tenant has the id 1/)
  })

  it('find the tenant of a key by its beginning, revoked or not', async () => {
    const { tenantId, apiKey, apiKeyId } = tenant
    for (const prefix of [apiKey.slice(0, 9), apiKey.slice(0, 12), apiKey]) {
      const found = await json('key', 'find', '--prefix', prefix)
      expect(found.map((key: { apiKeyId: string }) => key.apiKeyId)).to.deep.equal([apiKeyId])
      expect(found[0]).to.include({ tenantId, revokedAt: null })
    }
    await json('key', 'revoke', '--key', apiKeyId)
    const [revoked] = await json('key', 'find', '--prefix', apiKey.slice(0, 12))
    expect(revoked.revokedAt).to.be.a('string')
    expect(JSON.stringify(revoked)).not.to.include(apiKey.slice(0, 13))
    expect(await json('key', 'find', '--prefix', 'avk_zzzzzzzz')).to.deep.equal([])
    expect(await error('key', 'find', '--prefix', 'avk_')).to.match(/beginning of a key/)
    expect(await error('key', 'find', '--prefix', 'avk_%')).to.match(/beginning of a key/)
  })

  it('show a tenant’s settings without its secret', async () => {
    const settings = await json('tenant', 'settings', '--tenant', tenant.tenantId)
    expect(settings).to.deep.equal({
      tenantId: tenant.tenantId,
      webhookUrl,
      returnUrl: null,
      hasWebhookSecret: true,
      previousSecretValidUntil: null,
    })
  })

  it('page through the audit log, and export it as JSON Lines or as one JSON array', async () => {
    const log = ['audit', 'list', '--tenant', tenant.tenantId]
    const all = await json(...log)
    expect(all.map(({ action }: { action: string }) => action)).to.have.members([
      'tenant.create',
      'api_key.create',
      'settings.set_webhook_url',
    ])
    const [first] = await json(...log, '--limit', '1')
    expect(await json(...log, '--after', first.id)).to.deep.equal(all.slice(1))
    const exported = await json('audit', 'export', '--tenant', tenant.tenantId)
    const { tenantId } = tenant
    const oldestFirst = all.toReversed().map((event: object) => ({ tenantId, ...event }))
    expect(exported).to.deep.equal(oldestFirst)
    const lines = (await text('audit', 'export', '--tenant', tenantId)).trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line))).to.deep.equal(oldestFirst)
    const whole = await json('audit', 'export')
    for (const event of oldestFirst) expect(whole).to.deep.include(event)
    expect(await json('audit', 'export', '--to', '2020-01-01')).to.deep.equal([])
    expect(await text('audit', 'export', '--to', '2020-01-01')).to.equal('')
  })
})
