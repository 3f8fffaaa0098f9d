import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { expect } from 'chai'
import { deleteOldSessions } from '#domain/simulated-session/delete-old-sessions.ts'
import { pollProvider } from '#domain/verification/poll-provider.ts'
import { openProviders } from '#server/open-providers.ts'
import { signature } from '#server/veriff/signature.ts'
import { expectError } from '../harness/expect-error.ts'
import { decisionOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { stored } from '../harness/stored.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant, startTestService } from '../harness/test-service.ts'
import { useService, useTenant } from '../harness/use-service.ts'

describe('The sessions of test tenants', () => {
  const service = useService()
  const tenant = useTenant(service, { test: true })
  const client = () => tenantClient(service, tenant)
  const start = async (): Promise<{ verificationId: string; sessionUrl: string }> =>
    (await client().start()).body

  it('are shared by all processes: one shows the page, another decides', async () => {
    const { databaseUrl } = service
    const other = await startTestService({ databaseUrl })
    try {
      const { verificationId, sessionUrl } = await start()
      const path = new URL(sessionUrl).pathname
      expect((await call(other.baseUrl + path)).status).to.equal(200)
      const elsewhere = tenantClient(other, tenant)
      expect((await elsewhere.choose(verificationId, 'minor')).body).to.include({ over18: false })
      expect((await client().status(verificationId)).body.status).to.equal('approved')
    } finally {
      await other.close()
    }
  })

  it('are decided once by requests that come together: the last one decides what is polled', async () => {
    const { verificationId } = await start()
    const chosen = await Promise.all(
      ['adult', 'minor', 'adult', 'minor'].map(outcome =>
        client().choose(verificationId, outcome, { lostCallback: true }),
      ),
    )
    expect(chosen.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
    const [row] = await stored<{ revision: number }>(
      service,
      'select revision from simulated_session where verification_id = $1',
      [verificationId],
    )
    expect(row!.revision).to.equal(4)
  })

  it('are of no use to the provider of live tenants, even if it names them with a valid signature', async () => {
    const { verificationId } = await start()
    const session = await sessionOf(service, verificationId)
    expect(session.sessionId).to.match(/^test:/)
    for (const sessionId of [session.sessionId, session.sessionId.slice('test:'.length)]) {
      const sent = await sendCallback(service, decisionOn({ ...session, sessionId }, 'approved'))
      expect(sent.status).to.equal(200)
    }
    expect((await client().status(verificationId)).body.status).to.equal('pending')
  })

  it('have callbacks that the public endpoint refuses; and theirs refuses those of the provider', async () => {
    const veriff = { apiKey: randomUUID(), sharedSecrets: [randomUUID()] }
    const { pool } = service.services.database
    const providers = await openProviders({
      integration: { name: 'veriff', baseUrl: service.veriffUrl, ...veriff },
      testTenants: true,
      pool,
      baseUrl: service.baseUrl,
    })
    const sent: [IncomingHttpHeaders, Buffer][] = []
    try {
      const { simulator, callbacks, client: provider } = providers
      simulator!.handleCallbacks({
        ...service.services,
        callbacks: {
          ...simulator!.callbacks,
          isAuthentic: (headers, rawBody) => {
            sent.push([headers, rawBody])
            return simulator!.callbacks.isAuthentic(headers, rawBody)
          },
        },
      })
      const { verificationId } = await start()
      const session = await provider.createSession({ verificationId, callback: undefined, test: true })
      const choice = { outcome: 'adult', lostCallback: false } as const
      expect(await simulator!.chooseOutcome(session.providerSessionId, choice)).to.equal(true)
      expect(await simulator!.chooseOutcome(`test:${randomUUID()}`, choice)).to.equal(false)
      const [headers, rawBody] = sent[0]!
      expect(simulator!.callbacks.isAuthentic(headers, rawBody)).to.equal(true)
      expect(callbacks.isAuthentic(headers, rawBody)).to.equal(false)
      const refused = await call(`${service.baseUrl}/verify/callback`, {
        method: 'POST',
        raw: rawBody,
        headers: {
          'x-auth-client': String(headers['x-auth-client']),
          'x-hmac-signature': String(headers['x-hmac-signature']),
        },
      })
      expectError(refused, 'FORBIDDEN')
      const foreign = {
        'x-auth-client': veriff.apiKey,
        'x-hmac-signature': signature(rawBody, veriff.sharedSecrets[0]!),
      }
      expect(callbacks.isAuthentic(foreign, rawBody)).to.equal(true)
      expect(simulator!.callbacks.isAuthentic(foreign, rawBody)).to.equal(false)
    } finally {
      await providers.close()
    }
  })

  it('cannot be started or reached where TEST_TENANTS is off, and live verifications go on', async () => {
    const { verificationId, sessionUrl } = await start()
    const { databaseUrl } = service
    const other = await startTestService({ databaseUrl, env: { TEST_TENANTS: 'false' } })
    try {
      const elsewhere = tenantClient(other, tenant)
      const failed = await elsewhere.start()
      expectError(failed, 'INTERNAL_ERROR')
      expect(failed.body.details).to.deep.equal({ dependency: 'identity_provider' })
      expectError(await elsewhere.choose(verificationId, 'adult'), 'ROUTE_NOT_FOUND')
      expect((await call(other.baseUrl + new URL(sessionUrl).pathname)).status).to.equal(404)
      await pollProvider(other.services.scopeFor({ kind: 'service' }))
      const live = tenantClient(other, await createTestTenant(other))
      expect((await live.start()).status).to.equal(201)
    } finally {
      await other.close()
    }
  })

  it('are deleted after 30 days', async () => {
    const { verificationId } = await start()
    const at = (days: number) =>
      deleteOldSessions(
        service.services.scopeFor({ kind: 'service' }, new Date(Date.now() + days * 86_400_000)),
      )
    const find = () =>
      stored(service, 'select id from simulated_session where verification_id = $1', [verificationId])
    await at(29.9)
    expect(await find()).to.have.length(1)
    expect(await at(30)).to.be.greaterThan(0)
    expect(await find()).to.have.length(0)
  })
})
