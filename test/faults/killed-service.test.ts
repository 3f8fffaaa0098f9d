import { expect } from 'chai'
import pg from 'pg'
import { attachPostgres, databaseName } from '#server/development/postgres.ts'
import { eventually } from '#test/support/eventually.ts'
import { call } from '#test/support/tenant-client.ts'
import { addressesOf, demoTenant, receivedEvents, tenantOf } from './service/demo-tenant.ts'
import { operate } from './service/operate.ts'
import { serviceFixture } from './service/service-fixture.ts'
import { killAll, type ServiceProcess } from './service/service-process.ts'

/** Fewer than the receiver of the demo tenant remembers (200). */
const verificationCount = 100
/** The kill comes in the middle: when so many results have been acknowledged. */
const killAfter = 35
const atOnce = 12

describe('a service that is killed with all its processes in the middle of callbacks', function () {
  this.timeout(180_000)
  const fixture = serviceFixture()
  // Attempts that the kill cut off are made again soon.
  const env = { WEBHOOK_RETRY_DELAYS: '1,2' }
  let service: ServiceProcess
  let tenantId: string
  let tenant: ReturnType<typeof tenantOf>
  /** What the outside was told before the kill. */
  const started = new Set<string>()
  const acknowledged = new Set<string>()

  before(async () => {
    service = await fixture.start({ env })
    const demo = await demoTenant(service)
    tenantId = demo.tenantId
    await operate(service, 'plan', 'set', '--name', 'default', '--rate-limit', '100000')
    tenant = tenantOf(service, demo.apiKey)
    await inParallel(Array.from({ length: verificationCount }), startOne)
    expect(started.size).to.equal(verificationCount)

    const killed = Promise.withResolvers<void>()
    const stream = inParallel([...started], id => decideOne(id, killed.resolve))
    const starts = inParallel(Array.from({ length: verificationCount / 2 }), startOne)
    await killed.promise
    await killAll(service.dataFolder)
    await Promise.all([stream, starts])
    expect(acknowledged.size).to.be.within(killAfter, verificationCount - 1)
    service = await fixture.start({ env })
    tenant = tenantOf(service, demo.apiKey)
  })

  async function startOne(): Promise<void> {
    const { status, body } = await tenant.start()
    if (status === 201) started.add(body.verificationId)
  }

  async function decideOne(id: string, killNow: () => void): Promise<void> {
    const { veriffUrl } = await addressesOf(service)
    const decide = `${veriffUrl}/control/sessions/${id}/decide`
    const { body } = await call(decide, { method: 'POST', json: { outcome: 'approve-adult' } })
    if (body.deliveries.every((delivery: { accepted: boolean }) => delivery.accepted)) acknowledged.add(id)
    if (acknowledged.size >= killAfter) killNow()
  }

  it('has every result that it acknowledged', async () => {
    for (const id of acknowledged) {
      const { body } = await tenant.status(id)
      expect(body).to.include({ verificationId: id, status: 'approved' })
      expect(body.completedAt).to.be.a('string')
      expect((await tenant.validate(body.token)).body).to.include({ valid: true })
    }
  })

  it('has every verification whose start it answered', async () => {
    for (const id of started) expect((await tenant.status(id)).status).to.equal(200)
  })

  it('gets the results that it had not acknowledged from the provider’s retries', async () => {
    const { veriffUrl } = await addressesOf(service)
    const { body } = await call(`${veriffUrl}/control/sessions`)
    const decided = new Set<string>(
      body.sessions
        .filter((session: { status: string }) => session.status === 'approved')
        .map((session: { vendorData: string }) => session.vendorData),
    )
    expect([...acknowledged].filter(id => !decided.has(id))).to.deep.equal([])
    for (const id of decided) {
      const { body } = await eventually(() => tenant.status(id), {
        until: answer => answer.body.status === 'approved',
      })
      expect(body.completedAt).to.be.a('string')
    }
  })

  it('delivers the event of every completed verification, and of no other', async () => {
    const completed = new Set<string>()
    for (const id of started) if ((await tenant.status(id)).body.status === 'approved') completed.add(id)
    expect(completed.size).to.be.at.least(acknowledged.size)
    const events = await eventually(() => receivedEvents(service), {
      until: received => idsOf(received).size >= completed.size,
    })
    expect([...idsOf(events)].sort()).to.deep.equal([...completed].sort())
    expect(new Set(events.map(({ signature }) => signature))).to.deep.equal(new Set(['valid']))
  })

  it('counts every verification that there is, once the starts that were cut off are cleaned up', async () => {
    const { dataFolder: folder } = service
    const client = new pg.Client({ connectionString: (await attachPostgres({ folder, databaseName }))! })
    await client.connect()
    try {
      // As though the time that a start may take had passed.
      await client.query(`update start_reservation set created_at = created_at - interval '10 minutes'`)
      const count = async () => {
        const { rows } = await client.query(
          `select (select count(*)::int from start_reservation) as reservations,
             (select count(*)::int from verification) as verifications`,
        )
        return rows[0] as { reservations: number; verifications: number }
      }
      const { verifications } = await eventually(count, { until: ({ reservations }) => reservations === 0 })
      const { usage } = await operate(service, 'tenant', 'show', '--tenant', tenantId)
      expect(usage).to.equal(verifications)
      expect(verifications).to.be.at.least(started.size)
    } finally {
      await client.end()
    }
  })
})

function idsOf(events: { body: { data: { verificationId: string } } }[]): Set<string> {
  return new Set(events.map(({ body }) => body.data.verificationId))
}

/** A few at a time. What the kill cuts off has told nothing. */
async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values()
  const lane = async () => {
    for (const item of queue) await work(item).catch(() => undefined)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
