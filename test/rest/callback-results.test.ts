import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { setSubscription, setTenantEnabled } from '#domain/tenant/change-tenant-access.ts'
import {
  decisionOn,
  eventOn,
  type ProviderSession,
  sendCallback,
  sessionOf,
} from '../harness/provider-callback.ts'
import { stored } from '../harness/stored.ts'
import { storedChanges, storedTokens } from '../harness/stored-rows.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('Results that POST /verify/callback receives', () => {
  const service = useService({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  beforeEach(async () => {
    const { tenantId } = tenant
    await setWebhookUrl(forTenant(service.operator(), tenantId), { url: 'https://127.0.0.1:9/events' })
    service.wakeUps.length = 0
  })

  async function startedSession(): Promise<ProviderSession> {
    return await sessionOf(service, (await client.start()).body.verificationId)
  }

  const statusOf = async ({ vendorData }: ProviderSession) => (await client.status(vendorData)).body

  /** Counts the webhook events, tokens and contradictions of a verification. */
  async function effectsOf({ vendorData }: ProviderSession) {
    const [row] = await stored<{ events: number; tokens: number; revoked: number; contradictions: number }>(
      service,
      `select (select count(*)::int from delivery where verification_id = $1) as events,
         (select count(*)::int from ${storedTokens} t where verification_id = $1) as tokens,
         (select count(*)::int from ${storedTokens} t where verification_id = $1 and revoked_at is not null) as revoked,
         (select count(*)::int from ${storedChanges} c where verification_id = $1 and not applied)
           as contradictions`,
      [vendorData],
    )
    return row!
  }
  const onceCompleted = { events: 1, tokens: 1, revoked: 0, contradictions: 0 }

  it('complete a verification with one webhook event and one token, however often they are repeated', async () => {
    const session = await startedSession()
    const decision = decisionOn(session, 'approved')
    expect((await sendCallback(service, eventOn(session, 7002))).status).to.equal(200)
    expect(service.wakeUps).to.deep.equal([])
    const first = await sendCallback(service, decision)
    const published = await statusOf(session)
    expect(published).to.include({ status: 'approved', confidence: 1 })
    expect(service.wakeUps).to.deep.equal(['deliveries'])
    const second = await sendCallback(service, decision)
    expect([second.status, second.body]).to.deep.equal([200, first.body])
    expect(await statusOf(session)).to.deep.equal(published)
    expect(await effectsOf(session)).to.deep.equal(onceCompleted)
  })

  it('declined after approved: the published status stays, and the token is revoked', async () => {
    const session = await startedSession()
    await sendCallback(service, decisionOn(session, 'approved'))
    const published = await statusOf(session)
    expect((await client.validate(published.token)).body.reason).to.equal('OK')
    const late = decisionOn(session, 'declined', { code: 9102, reasonCode: 102 })
    expect((await sendCallback(service, late)).status).to.equal(200)
    expect((await sendCallback(service, late)).status).to.equal(200)
    const { token, ...result } = published
    const { tokenRevokedAt, ...now } = await statusOf(session)
    expect(now).to.deep.equal({ ...result, over18: null })
    expect(tokenRevokedAt).to.be.a('string')
    expect((await client.validate(token)).body).to.deep.equal({
      valid: false,
      over18: false,
      reason: 'TOKEN_REVOKED',
    })
    expect(await effectsOf(session)).to.deep.equal({ ...onceCompleted, revoked: 1, contradictions: 1 })
  })

  it('are stored for a tenant that is disabled or without a subscription, too', async () => {
    const operator = () => forTenant(service.operator(), tenant.tenantId)
    const sessions = [await startedSession(), await startedSession()] as const
    await setSubscription(operator(), { state: 'inactive' })
    expect((await sendCallback(service, decisionOn(sessions[0], 'approved'))).status).to.equal(200)
    await setTenantEnabled(operator(), { enabled: false })
    expect((await sendCallback(service, decisionOn(sessions[1], 'approved'))).status).to.equal(200)
    await setSubscription(operator(), { state: 'active' })
    await setTenantEnabled(operator(), { enabled: true })
    for (const session of sessions) {
      expect(await statusOf(session)).to.include({ status: 'approved' })
      expect(await effectsOf(session)).to.deep.equal(onceCompleted)
    }
  })

  it('leave no personal data in the database, only ids, codes, score and time', async () => {
    const session = await startedSession()
    const secret = 'VERY-PERSONAL'
    const of = (names: string) => Object.fromEntries(names.split(' ').map(name => [name, secret]))
    const decision = decisionOn(session, 'approved', {
      person: {
        dateOfBirth: '1990-02-03',
        yearOfBirth: '1990',
        addresses: [{ fullAddress: secret }],
        ...of('firstName lastName idNumber gender nationality placeOfBirth'),
      },
      document: of('number type country state validFrom validUntil issuedBy'),
      additionalVerifiedData: { estimatedAge: 36.62519 },
      reason: secret,
      comments: [secret],
      riskLabels: [{ label: secret, category: secret, sessionIds: [secret] }],
      riskScore: { score: 0.8765 },
    })
    await sendCallback(service, { ...decision, technicalData: { ip: '203.0.113.9' } })
    expect((await client.status(session.vendorData)).body.over18).to.equal(true)
    const dropped = [secret, '1990-02-03', '36.62519', '0.8765', '203.0.113.9']
    const tables = await stored<{ name: string }>(
      service,
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    )
    for (const { name } of tables) {
      const [row] = await stored<{ found: number }>(
        service,
        `select count(*)::int as found from "${name}" t where t::text similar to '%(${dropped.join('|')})%'`,
      )
      expect(row!.found, name).to.equal(0)
    }
  })
})
