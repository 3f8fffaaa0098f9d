import { expect } from 'chai'
import { deleteOldSessions } from '#domain/simulated-session/delete-old-sessions.ts'
import { pollProvider } from '#domain/verification/poll-provider.ts'
import { openSessions } from '#server/providers/test-provider/sessions.ts'
import { createTestProvider } from '#server/providers/test-provider/test-provider.ts'
import { expectError } from '../harness/expect-error.ts'
import { sessionOf } from '../harness/provider-callback.ts'
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
      expect((await client().status(verificationId)).body.status).to.equal('started')
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

  it('end after seven days, which is found by polling: expired if never opened, else abandoned', async () => {
    const [unopened, opened] = [await start(), await start()]
    await call(opened.sessionUrl)
    const outcomeAfter = async (ms: number, { verificationId }: typeof opened) => {
      const sessions = openSessions(service.services.database.pool, service.baseUrl, () => new Date(ms))
      const { sessionId } = await sessionOf(service, verificationId)
      const decision = await createTestProvider(sessions).fetchDecision(sessionId, verificationId)
      return decision && [decision.outcome, decision.code, decision.decidedAt! <= new Date(ms)]
    }
    const endMs = Date.now() + 7 * 86_400_000
    expect(await outcomeAfter(endMs - 60_000, unopened)).to.equal(undefined)
    expect(await outcomeAfter(endMs, unopened)).to.deep.equal(['expired', 9104, true])
    expect(await outcomeAfter(endMs, opened)).to.deep.equal(['abandoned', 9104, true])
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
