import { expect } from 'chai'
import { verifyWebhook } from '#clients/typescript/src/index.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import { inTransaction, transaction } from '#domain/database/transaction.ts'
import { forTenant } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { acceptableSecrets } from '#domain/tenant/webhook-secrets.ts'
import { deleteOldTestEvents } from '#domain/webhook/delete-old-test-events.ts'
import { countDeliveries, getDeliveryHealth } from '#domain/webhook/delivery-health.ts'
import { recordTestEvent } from '#domain/webhook/record-test-event.ts'
import { createLog } from '#server/logging/log.ts'
import { startDeliveryWorker } from '../harness/delivery-worker.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError, expectIssueAt, expectRateLimitHeaders } from '../harness/expect-error.ts'
import { stored } from '../harness/stored.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'
import { waitingForLock } from '../server/query-in.ts'
import { createFakeSender, serverError } from '../server/webhooks/queue/fake-sender.ts'

describe('GET /test/events', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  const tenant = useNewTenant(service, { test: true })
  const url = 'https://receiver.example/webhooks'
  const scope = (tenantId = tenant.tenantId) => forTenant(service.operator(), tenantId)
  const setUrl = (to: string | null) => setWebhookUrl(scope(), { url: to })
  const list = (query = '') => tenantClient(service, tenant).send(`/test/events${query}`)
  const deliveries = () => stored(service, 'select * from delivery where tenant_id = $1', [tenant.tenantId])
  const decide = async (outcome = 'minor') => {
    const client = tenantClient(service, tenant)
    const { verificationId } = (await client.start()).body
    await client.choose(verificationId, outcome)
    return verificationId as string
  }
  /** As a worker does, while it does not run. */
  const record = (
    body: string,
    tenantId = tenant.tenantId,
    pool: StatementPool = service.services.database.pool,
  ) => recordTestEvent(pool, { tenantId, at: clock(), attempt: 1, url: null, headers: {}, body })
  const bodies = async (query = '') =>
    (await list(query)).body.events.map(({ body }: { body: string }) => body) as string[]

  describe('with a worker', () => {
    const sender = createFakeSender(() => serverError)
    let worker: ReturnType<typeof startDeliveryWorker>
    before(() => {
      worker = startDeliveryWorker(service, { sender, log: createLog('silent') })
    })
    after(() => worker.close())
    beforeEach('make a secret, with the first URL', async () => {
      await setUrl(url)
      await setUrl(null)
      sender.requests.length = 0
    })

    it('has the signed event of a tenant without a webhook URL, once, while it waits for it', async () => {
      const waiting = list('?wait=60')
      await eventually(() => service.waits.count === 1)
      const verificationId = await decide('minor')
      const { status, body, headers } = await waiting
      expect(status).to.equal(200)
      expect(body.next).to.equal('1')
      const [event] = body.events
      expect(body.events).to.have.length(1)
      expect(event).to.include({ id: '1', at: clock().toISOString(), attempt: 1, url: null })
      const secrets = await acceptableSecrets(scope())
      const { data } = await verifyWebhook(event.body, event.headers, secrets)
      expect(data).to.deep.equal({ verificationId, status: 'approved', confidence: 1, provider: 'veriff' })
      expectRateLimitHeaders({ headers }, true)
      await eventually(async () => (await deliveries())[0]?.state === 'delivered')
      expect(sender.requests).to.deep.equal([])
      expect(await getDeliveryHealth(scope())).to.include({ acceptedAt: null })
      expect(await countDeliveries(scope())).to.include({ accepted: 0 })
    })

    it('has each attempt with the headers and the body that were sent, where the receiver fails', async () => {
      await setUrl(url)
      await decide()
      await eventually(() => {
        clock.advance(1)
        return sender.requests.length === 3
      })
      const { events } = (await list()).body
      expect(events.map(({ attempt }: { attempt: number }) => attempt)).to.deep.equal([1, 2, 3])
      for (const [index, { body, headers, url }] of sender.requests.entries()) {
        expect(events[index]).to.deep.include({ body: String(body), headers, url })
      }
    })

    it('has none of live tenants, whose keys are forbidden', async () => {
      const live = await createTestTenant(service)
      const client = tenantClient(service, live)
      const forbidden = await client.send('/test/events')
      expectError(forbidden, 'FORBIDDEN')
      expect(forbidden.body.message).to.contain('avk_test_')
      await client.decided('approve-adult')
      await setWebhookUrl(scope(live.tenantId), { url })
      await client.decided('approve-adult')
      await eventually(() => sender.requests.length > 0)
      const ofLive = (table: string) =>
        stored(service, `select * from ${table} where tenant_id = $1`, [live.tenantId])
      expect(await ofLive('test_event')).to.deep.equal([])
      expect(await ofLive('delivery')).to.have.length(1)
    })
  })

  it('lists 20 at a time, oldest first, from any place, and says where to go on also if nothing is new', async () => {
    for (let n = 1; n <= 23; n++) await record(`event ${n}`)
    const numbered = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, n) => `event ${from + n}`)
    const first = (await list()).body
    expect(first.next).to.equal('20')
    expect(await bodies()).to.deep.equal(numbered(1, 20))
    expect(await bodies('?after=20')).to.deep.equal(numbered(21, 23))
    for (const query of ['?after=23', '?after=23&wait=1', '?after=latest', '?after=latest&wait=0']) {
      expect((await list(query)).body, query).to.deep.equal({ events: [], next: '23' })
    }
    expect((await list('?after=99')).body).to.deep.equal({ events: [], next: '99' })
  })

  it('has none of other tenants', async () => {
    await record('own')
    const other = await createTestTenant(service, { test: true })
    await record('other', other.tenantId)
    expect(await bodies()).to.deep.equal(['own'])
    const { body } = await tenantClient(service, other).send('/test/events')
    expect(body.events).to.have.length(1)
    expect(body.events[0]).to.include({ id: '1', body: 'other' })
  })

  it('shows no event before one with a smaller id that is not committed yet', async () => {
    let second: Promise<unknown> | undefined
    await transaction(scope(), async em => {
      await record('first', tenant.tenantId, inTransaction(em))
      second = record('second')
      await eventually(async () => (await waitingForLock(service.databaseUrl)) === 1)
      expect(await bodies()).to.deep.equal([])
    })
    await second
    expect(await bodies()).to.deep.equal(['first', 'second'])
  })

  it('keeps events for 24 hours, and never gives an id a second time', async () => {
    await record('old')
    clock.advance(23 * 60 * 60_000)
    await record('new')
    await deleteOldTestEvents(scope())
    expect(await bodies()).to.deep.equal(['old', 'new'])
    clock.advance(60 * 60_000)
    expect(await bodies()).to.deep.equal(['new'])
    expect(await deleteOldTestEvents(scope())).to.be.at.least(1)
    const rows = await stored(service, 'select id from test_event where tenant_id = $1', [tenant.tenantId])
    expect(rows).to.deep.equal([{ id: 2 }])
    clock.advance(24 * 60 * 60_000)
    await deleteOldTestEvents(scope())
    await record('newest')
    expect((await list('?after=2')).body.next).to.equal('3')
  })

  it('rejects what is neither a place nor a time', async () => {
    for (const query of [
      'after=',
      'after=-1',
      'after=1.5',
      'after=last',
      'after=1234567890',
      'after=1&after=2',
    ])
      expectIssueAt(await list(`?${query}`), 'after', 'INVALID_PARAMETERS')
    for (const query of ['wait=61', 'wait=-1', 'wait=1.5', 'wait='])
      expectIssueAt(await list(`?${query}`), 'wait', 'INVALID_PARAMETERS')
  })
})
