import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { acquireLease } from '#domain/lease/acquire-lease.ts'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { migrationList } from '#domain/schema/migration-list.ts'
import { makeDeliveriesDue } from '#domain/webhook/make-deliveries-due.ts'
import { recordOutcome } from '#domain/webhook/record-outcomes.ts'
import { createFakeSender, serverError } from './fake-sender.ts'
import { claim, useQueueFixture } from './fixture.ts'

describe('With a worker of 1.0.0, during an upgrade or after going back, a delivery', () => {
  const queue = useQueueFixture()
  const now = new Date()
  const later = (ms: number) => new Date(now.getTime() + ms)

  it('that is in flight there is left to it until the end of its lease, and its outcome is stored', async () => {
    const { id, token } = await addClaimedBy10()
    expect(await makeDeliveriesDue(queue.pool, later(8_000))).to.deep.equal({ due: [], failed: [] })
    expect(await claim(queue.pool)).to.deep.equal([])
    expect(await recordBy10(token)).to.equal(1)
    expect(await queue.delivery(id)).to.include({ state: 'delivered', attempts: 1 })
  })

  it('of one that was killed is taken over, without its outcome, with its attempt and with room for others', async () => {
    const { id, token, tenantId } = await addClaimedBy10()
    expect((await makeDeliveriesDue(queue.pool, later(8_001))).due).to.have.lengthOf(1)
    expect(await recordBy10(token)).to.equal(0)
    const [claimed] = await claim(queue.pool)
    expect(claimed).to.include({ verificationId: id, attempt: 2 })
    expect(await recordBy10(token)).to.equal(0)
    expect(await queue.query('select * from delivery_queue where tenant_id = $1', [tenantId])).to.deep.equal([
      { tenant_id: tenantId, due_at: null, in_flight: 0, is_unresponsive: false },
    ])
  })

  it('is never sent a fourth time', async () => {
    const { id } = await addClaimedBy10(2)
    expect((await makeDeliveriesDue(queue.pool, later(8_001))).failed).to.have.lengthOf(1)
    expect(await queue.delivery(id)).to.include({ state: 'failed', attempts: 3 })
    expect(await claim(queue.pool)).to.deep.equal([])
  })

  it('that it failed to send is sent again by a newer worker', async () => {
    const { id, token } = await addClaimedBy10()
    expect(await recordBy10(token, 'waiting')).to.equal(1)
    queue.startWorker({ sender: createFakeSender() })
    await queue.untilState(id, 'delivered')
    expect(await queue.delivery(id)).to.include({ attempts: 2 })
  })

  it('of a newer worker, for a retry or of one that was killed, is found by the older one', async () => {
    const tenantId = await queue.addTenant()
    const longAgo = later(-60_000)
    const [retry, lost, last] = (await queue.addDeliveries(tenantId, 3, longAgo)) as [string, string, string]
    await queue.query('update delivery set attempts = 2 where verification_id = $1', [last])
    const claimed = await claim(queue.pool, longAgo)
    const failed = claimed.find(({ verificationId }) => verificationId === retry)!
    const outcome = { result: 'failed', dueAt: longAgo, attemptedAt: longAgo, failure: 'timeout' } as const
    await recordOutcome(queue.pool, { ...failed, ...outcome })
    const states = async () =>
      await Promise.all([retry, lost, last].map(async id => (await queue.delivery(id)).state))
    const owner = randomUUID()
    await acquireLease(queue.pool, { name: 'deliver events', owner, durationMs: 6_000 }, now)
    expect(await states()).to.deep.equal(['waiting', 'in_flight', 'in_flight'])
    await acquireLease(queue.pool, { name: 'deliver webhook events', owner, durationMs: 6_000 }, now)
    expect(await states()).to.deep.equal(['new', 'new', 'failed'])
    expect((await queue.deliveries(tenantId)).map(({ attempts }) => attempts).toSorted()).to.deep.equal([
      1, 1, 3,
    ])
  })

  it('that was due, waiting or in flight at the migration is delivered, and never sent a fourth time', async () => {
    await queue.query('drop schema public cascade')
    await queue.query('create schema public')
    await applyMigrations({ url: queue.url, migrations: migrationList.slice(0, 2) })
    await queue.addPlan()
    const tenantId = await queue.addTenant()
    const ids = await queue.addDeliveries(tenantId, 4, now)
    const set = (id: string, columns: string) =>
      queue.query(`update delivery set ${columns} where verification_id = $1`, [id])
    const claimed = `state = 'in_flight', claim_token = gen_random_uuid(), lease_until = now() + interval '3 s'`
    await set(ids[1]!, "state = 'waiting', attempts = 2")
    await set(ids[2]!, `attempts = 1, ${claimed}`)
    await set(ids[3]!, `attempts = 3, ${claimed}`)
    await applyMigrations({ url: queue.url })
    const sender = createFakeSender(() => serverError)
    queue.startWorker({ sender, retryDelaysMs: [1, 1] })
    for (const id of ids) await queue.untilState(id, 'failed')
    const requests = ids.map(id => sender.requests.filter(({ body }) => body.includes(id)).length)
    expect(requests).to.deep.equal([3, 1, 2, 0])
  })

  /** A delivery that a worker of 1.0.0 has claimed now. */
  async function addClaimedBy10(attemptsBefore = 0) {
    const tenantId = await queue.addTenant()
    const id = await queue.addDelivery(tenantId, now)
    const token = randomUUID()
    await queue.query('insert into delivery_queue (tenant_id, in_flight) values ($1, 1)', [tenantId])
    await queue.query(
      `update delivery set state = 'in_flight', attempts = $2 + 1, claim_token = $3, lease_until = $4
       where verification_id = $1`,
      [id, attemptsBefore, token, later(8_000)],
    )
    return { tenantId, id, token }
  }

  /** Stores an outcome as 1.0.0 does, and returns the number of deliveries that had it. */
  async function recordBy10(token: string, state = 'delivered'): Promise<number> {
    const rows = await queue.query(
      `update delivery set state = $2, claim_token = null, lease_until = null, due_at = now()
       where claim_token = $1 returning state`,
      [token, state],
    )
    return rows.length
  }
})
