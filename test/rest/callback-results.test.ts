import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/settings/set-webhook-url.ts'
import { setSubscription } from '#domain/tenant/set-subscription.ts'
import { setTenantEnabled } from '#domain/tenant/set-tenant-enabled.ts'
import {
  decisionOn,
  eventOn,
  type ProviderSession,
  sendCallback,
  sessionOf,
} from '../harness/provider-callback.ts'
import { stored } from '../harness/stored.ts'
import { storedChanges, storedTokens } from '../harness/stored-rows.ts'
import { control, tenantClient } from '../harness/tenant-client.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('Results that POST /verify/callback receives', () => {
  const service = useService({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  beforeEach(async () => {
    const { tenantId } = tenant
    await setWebhookUrl(forTenant(service.operator(), tenantId), { url: 'https://127.0.0.1:9/events' })
    service.notifications.length = 0
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

  it('complete a verification with one webhook event and one token, and notify the delivery workers', async () => {
    const session = await startedSession()
    expect((await sendCallback(service, decisionOn(session, 'approved'))).status).to.equal(200)
    expect(await statusOf(session)).to.include({ status: 'approved', confidence: 1 })
    expect(await effectsOf(session)).to.deep.equal(onceCompleted)
    expect(service.notifications).to.deep.equal(['deliveries'])
  })

  it('have no further effect when they are repeated: one webhook event, one token, the same 200', async () => {
    const session = await startedSession()
    const decision = decisionOn(session, 'approved')
    const first = await sendCallback(service, decision)
    const published = await statusOf(session)
    const second = await sendCallback(service, decision)
    expect(second.status).to.equal(200)
    expect(second.body).to.deep.equal(first.body)
    expect(await statusOf(session)).to.deep.equal(published)
    expect(await effectsOf(session)).to.deep.equal(onceCompleted)
  })

  it('take effect once when they arrive twenty times concurrently', async () => {
    const session = await startedSession()
    const decision = decisionOn(session, 'approved')
    const responses = await Promise.all(Array.from({ length: 20 }, () => sendCallback(service, decision)))
    expect(responses.map(({ status }) => status)).to.deep.equal(Array(20).fill(200))
    expect(await effectsOf(session)).to.deep.equal(onceCompleted)
  })

  it('complete a verification once when different ones arrive concurrently', async () => {
    const session = await startedSession()
    const reports = [
      ...['approved', 'declined', 'expired', 'review'].map(status => decisionOn(session, status)),
      ...[7001, 7002].map(code => eventOn(session, code)),
    ]
    const responses = await Promise.all(reports.map(report => sendCallback(service, report)))
    expect(responses.map(({ status }) => status)).to.deep.equal(Array(reports.length).fill(200))
    const { events, tokens } = await effectsOf(session)
    expect(events).to.equal(1)
    expect(tokens).to.be.at.most(1)
    expect((await statusOf(session)).completedAt).to.be.a('string')
  })

  it('never return a verification to an earlier status', async () => {
    const session = await startedSession()
    const attemptId = randomUUID()
    await sendCallback(service, eventOn(session, 7002, { attemptId }))
    await sendCallback(service, eventOn(session, 7001, { attemptId }))
    expect(await statusOf(session)).to.include({ status: 'submitted' })
    await sendCallback(service, decisionOn(session, 'approved', { attemptId }))
    await sendCallback(service, eventOn(session, 7002, { attemptId }))
    await sendCallback(service, decisionOn(session, 'review', { attemptId, code: 9121 }))
    await sendCallback(service, decisionOn(session, 'resubmission_requested', { attemptId, code: 9103 }))
    expect(await statusOf(session)).to.include({ status: 'approved' })
    expect(await effectsOf(session)).to.deep.equal(onceCompleted)
  })

  it('for an unknown verification get a 200 and change nothing', async () => {
    const unknown = { sessionId: randomUUID(), vendorData: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1' }
    expect((await sendCallback(service, decisionOn(unknown, 'approved'))).status).to.equal(200)
    expect(await effectsOf(unknown)).to.deep.equal({ ...onceCompleted, events: 0, tokens: 0 })
  })

  for (const [title, pair] of [
    [
      'another vendorData',
      (one: ProviderSession, other: ProviderSession) => ({ ...one, vendorData: other.vendorData }),
    ],
    [
      'another session',
      (one: ProviderSession, other: ProviderSession) => ({ ...one, sessionId: other.sessionId }),
    ],
    ['no vendorData', (one: ProviderSession) => ({ ...one, vendorData: '' })],
    ['a vendorData that is no id', (one: ProviderSession) => ({ ...one, vendorData: "' or 1=1 --" })],
    ['a session that is unknown', (one: ProviderSession) => ({ ...one, sessionId: randomUUID() })],
  ] as const) {
    it(`with ${title} get a 200 and change nothing`, async () => {
      const [one, other] = [await startedSession(), await startedSession()]
      const mixed = pair(one, other)
      expect((await sendCallback(service, decisionOn(mixed, 'approved'))).status).to.equal(200)
      expect((await sendCallback(service, eventOn(mixed, 7001))).status).to.equal(200)
      for (const session of [one, other]) {
        expect(await statusOf(session)).to.include({ status: 'pending', completedAt: null })
        expect((await effectsOf(session)).events).to.equal(0)
      }
    })
  }

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

  it('approved after declined: the contradiction is recorded, and no token is issued', async () => {
    const session = await startedSession()
    await sendCallback(service, decisionOn(session, 'declined', { code: 9102 }))
    const published = await statusOf(session)
    expect((await sendCallback(service, decisionOn(session, 'approved'))).status).to.equal(200)
    expect(await statusOf(session)).to.deep.equal(published)
    expect(await effectsOf(session)).to.deep.equal({ events: 1, tokens: 0, revoked: 0, contradictions: 1 })
  })

  it('expired after approved: the token stays valid', async () => {
    const session = await startedSession()
    await sendCallback(service, decisionOn(session, 'approved'))
    await sendCallback(service, decisionOn(session, 'expired', { code: 9104 }))
    const { token } = await statusOf(session)
    expect((await client.validate(token)).body.reason).to.equal('OK')
  })

  it('approve an attempt after its resubmission', async () => {
    const session = await startedSession()
    const attemptId = randomUUID()
    await sendCallback(service, decisionOn(session, 'resubmission_requested', { attemptId, code: 9103 }))
    await sendCallback(service, decisionOn(session, 'approved', { attemptId }))
    expect(await statusOf(session)).to.include({ status: 'approved' })
  })

  it('in the Full Auto format set the confidence, with the session and vendorData at the top level', async () => {
    const session = await startedSession()
    const body = {
      sessionId: session.sessionId,
      vendorData: session.vendorData,
      time: new Date().toISOString(),
      data: {
        verification: {
          decision: 'approved',
          decisionScore: 0.87,
          person: { dateOfBirth: { value: '1990-02-03' } },
        },
      },
    }
    expect((await sendCallback(service, body)).status).to.equal(200)
    const published = await statusOf(session)
    expect(published).to.include({ status: 'approved', confidence: 0.87 })
    expect((await client.validate(published.token)).body.over18).to.equal(true)
  })

  for (const [title, score, confidence] of [
    ['above 1', 17, 1],
    ['below 0', -3, 0],
    ['that is no number', 'high', 1],
  ] as const) {
    it(`with a score ${title} set a confidence from 0 to 1`, async () => {
      const session = await startedSession()
      await sendCallback(service, decisionOn(session, 'approved', { decisionScore: score }))
      expect((await statusOf(session)).confidence).to.equal(confidence)
    })
  }

  it('are stored for a disabled tenant too', async () => {
    const session = await startedSession()
    const { tenantId } = tenant
    await setTenantEnabled(forTenant(service.operator(), tenantId), { enabled: false })
    expect((await sendCallback(service, decisionOn(session, 'approved'))).status).to.equal(200)
    await setTenantEnabled(forTenant(service.operator(), tenantId), { enabled: true })
    expect(await statusOf(session)).to.include({ status: 'approved' })
    expect(await effectsOf(session)).to.deep.equal(onceCompleted)
  })

  it('are stored for a tenant with an inactive subscription too', async () => {
    const session = await startedSession()
    const { tenantId } = tenant
    await setSubscription(forTenant(service.operator(), tenantId), { state: 'inactive' })
    expect((await sendCallback(service, decisionOn(session, 'declined'))).status).to.equal(200)
    await setSubscription(forTenant(service.operator(), tenantId), { state: 'active' })
    expect(await statusOf(session)).to.include({ status: 'denied' })
  })

  it('with a wrong signature change nothing; with a correct one they complete the verification', async () => {
    const session = await startedSession()
    const decide = { outcome: 'approve-adult', delivery: 'wrong-signature' }
    const { body } = await control(service, session.vendorData, 'decide', decide)
    expect(body.deliveries[0]).to.include({ accepted: false, status: 403 })
    expect(await statusOf(session)).to.include({ status: 'pending' })
    await sendCallback(service, decisionOn(session, 'approved'))
    expect(await statusOf(session)).to.include({ status: 'approved' })
  })

  it('leave no personal data in the database, only ids, codes, score and time', async () => {
    const session = await startedSession()
    const secret = 'VERY-PERSONAL'
    const decision = decisionOn(session, 'approved', {
      person: { firstName: secret, lastName: secret, dateOfBirth: '1990-02-03', idNumber: secret },
      document: { number: secret, type: secret },
      reason: secret,
      comments: [secret],
    })
    await sendCallback(service, decision)
    const tables = await stored<{ name: string }>(
      service,
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    )
    for (const { name } of tables) {
      const [row] = await stored<{ found: number }>(
        service,
        `select count(*)::int as found from "${name}" t where t::text like '%${secret}%' or t::text like '%1990-02-03%'`,
      )
      expect(row!.found, name).to.equal(0)
    }
  })
})
