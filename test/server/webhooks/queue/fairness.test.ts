import { expect } from 'chai'
import pg from 'pg'
import type { StatementPool } from '#domain/database/statement.ts'
import { eventually } from '#test/harness/eventually.ts'
import { createFakeSender, success, timeout } from './fake-sender.ts'
import { claim, useQueueFixture } from './fixture.ts'

/**
 * Less than a lease of 8 s. What starts within it hasn't waited for a receiver that hangs: the fake sender has no deadline
 * of its own.
 */
const immediately = { timeoutMs: 6_000 }

describe('DeliveryWorker is fair between tenants', () => {
  const queue = useQueueFixture()

  it('starts the deliveries of others immediately while a receiver that hangs has 5,000 waiting', async () => {
    const hanging = await queue.addTenant()
    const tenantId = await queue.addTenant()
    await queue.addDeliveries(hanging, 5_000)
    const { sender, release } = createHangingReceivers([hanging])
    const worker = queue.startWorker({ sender, pollMs: 60_000 })
    await eventually(() => sender.inFlight === 8)
    for (let sent = 1; sent <= 20; sent += 1) {
      await queue.addDelivery(tenantId)
      worker.wake()
      await eventually(() => sender.requests.length === 8 + sent, immediately)
    }
    const tenants = sender.requests.map(request => request.tenantId)
    expect(tenants.slice(0, 8)).to.deep.equal(Array(8).fill(hanging))
    expect(tenants.slice(8)).to.deep.equal(Array(20).fill(tenantId))
    release()
  })

  it('starts the deliveries of others immediately while 1,000 receivers hang', async () => {
    const hanging = await queue.addTenants(1_000)
    await queue.query(
      `insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence)
       select now() - interval '1 minute', id, gen_random_uuid(), now() - interval '1 minute', 'approved', 1
       from unnest($1::uuid[]) t (id) cross join generate_series(1, 10)`,
      [hanging],
    )
    const { sender, release } = createHangingReceivers(hanging)
    const tenantId = await queue.addTenant()
    const worker = queue.startWorker({ sender, pollMs: 60_000 })
    // Each is seen to hang by some of its deliveries, and none waits for those of the others.
    await eventually(() => new Set(sender.requests.map(request => request.tenantId)).size === 1_000)
    expect(sender.inFlight).to.be.below(2_048)
    for (let sent = 1; sent <= 20; sent += 1) {
      await queue.addDelivery(tenantId)
      worker.wake()
      const ofOther = () => sender.requests.filter(request => request.tenantId === tenantId).length
      await eventually(() => ofOther() === sent, immediately)
    }
    release()
  })

  it('has about eight deliveries of a tenant in flight, and sends none twice, with three workers', async () => {
    const tenants = await queue.addTenants(4)
    for (const id of tenants) await queue.addDeliveries(id, 150)
    const inFlight = new Map<string, number>()
    let highest = 0
    const sender = createFakeSender(async ({ tenantId }) => {
      inFlight.set(tenantId, (inFlight.get(tenantId) ?? 0) + 1)
      highest = Math.max(highest, inFlight.get(tenantId)!)
      await new Promise(resolve => setImmediate(resolve))
      inFlight.set(tenantId, inFlight.get(tenantId)! - 1)
      return success
    })
    for (let worker = 0; worker < 3; worker += 1) queue.startWorker({ sender })
    await eventually(async () => {
      const undelivered = await queue.query("select from delivery where state <> 'delivered' limit 1")
      return undelivered.length === 0
    })
    expect(sender.requests).to.have.lengthOf(600)
    expect(new Set(sender.requests.map(({ body }) => body.toString()))).to.have.lengthOf(600)
    // Three workers that count at the same moment can exceed it together.
    expect(highest).to.be.within(8, 24)
  })

  it('never makes a completion wait for a claim, or a claim for another one', async () => {
    const tenantId = await queue.addTenant()
    await queue.addDeliveries(tenantId, 20)
    const { client, claimed } = await openClaim()
    await queue.addDelivery(tenantId)
    expect(await claim(queue.pool)).to.have.lengthOf(8)
    await client.query('rollback')
    await client.end()
    expect(claimed).to.equal(8)
    expect(await queue.deliveries(tenantId)).to.have.lengthOf(21)
  })

  /** A claim that has selected its deliveries and has not committed. */
  async function openClaim() {
    const client = new pg.Client(queue.url)
    await client.connect()
    await client.query('begin')
    return { client, claimed: (await claim(client as StatementPool)).length }
  }
})

/** A sender whose attempts for these tenants time out when they are released, not earlier; others succeed. */
function createHangingReceivers(tenants: readonly string[]) {
  const hanging = new Set(tenants)
  let released = Promise.withResolvers<typeof timeout>()
  const sender = createFakeSender(({ tenantId }) => (hanging.has(tenantId) ? released.promise : success))
  const release = () => {
    const { resolve } = released
    released = Promise.withResolvers()
    resolve(timeout)
  }
  return { sender, release }
}
