import { expect } from 'chai'
import pg from 'pg'
import { attachPostgres, databaseName } from '#development/postgres/start-postgres.ts'
import { eventually } from '../harness/eventually.ts'
import { call } from '../harness/tenant-client.ts'
import { addressesOf, demoTenant, receivedEvents, tenantOf } from './service/demo-tenant.ts'
import { operate } from './service/operate.ts'
import { serviceFixture } from './service/service-fixture.ts'
import { killAll, type ServiceProcess } from './service/service-process.ts'

/** Fewer than the webhook receiver of the demo tenant stores (200). */
const verificationCount = 100
/** The service is killed when this many results have been acknowledged. */
const killAfter = 35
const concurrency = 12

describe('A service that is killed with all its processes while it processes callbacks', function () {
  this.timeout(180_000)
  const fixture = serviceFixture()
  // Interrupted attempts are repeated soon.
  const env = { WEBHOOK_RETRY_DELAYS: '1,2' }
  let service: ServiceProcess
  let tenantId: string
  let tenant: ReturnType<typeof tenantOf>
  /** IDs that clients and the provider got a response for before the kill. */
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

  it('has every verification whose start it confirmed', async () => {
    for (const id of started) expect((await tenant.status(id)).status).to.equal(200)
  })

  it('gets the results that it had not acknowledged from the retries of the provider', async () => {
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

  it('delivers the webhook event of every completed verification, and of no other', async () => {
    const completed = new Set<string>()
    for (const id of started) if ((await tenant.status(id)).body.status === 'approved') completed.add(id)
    expect(completed.size).to.be.at.least(acknowledged.size)
    const events = await eventually(() => receivedEvents(service), {
      until: received => idsOf(received).size >= completed.size,
    })
    expect([...idsOf(events)].sort()).to.deep.equal([...completed].sort())
    expect(new Set(events.map(({ signature }) => signature))).to.deep.equal(new Set(['valid']))
  })

  it('counts exactly the existing verifications, after the interrupted starts are cleaned up', async () => {
    const { dataFolder: folder } = service
    const client = new pg.Client({ connectionString: (await attachPostgres({ folder, databaseName }))! })
    await client.connect()
    try {
      // As if the time limit of a start had passed.
      await client.query(`update start_reservation set created_at = created_at - interval '10 minutes'`)
      const count = async () => {
        const { rows } = await client.query(
          `select (select count(*)::int from start_reservation) as reservations,
             (select count(*)::int from verification) as verifications`,
        )
        return rows[0] as { reservations: number; verifications: number }
      }
      const { verifications } = await eventually(count, {
        until: ({ reservations }) => reservations === 0,
        // The killed worker's lease of the task expires first.
        timeoutMs: 60_000,
      })
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

/** Works on a few items at a time. Requests that the kill interrupts are ignored. */
async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values()
  const lane = async () => {
    for (const item of queue) await work(item).catch(() => undefined)
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}
