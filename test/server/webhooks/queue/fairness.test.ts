import { expect } from 'chai'
import { recordOutcomes } from '#domain/webhook/record-outcomes.ts'
import { eventually } from '#test/harness/eventually.ts'
import { createFakeSender, success, timeout } from './fake-sender.ts'
import { claim, useQueueFixture } from './fixture.ts'
import { pauseAtCommit } from './intercept-pool.ts'

/**
 * Less than a lease of 8 s. What starts within it hasn't waited for an unresponsive receiver: the fake sender has no deadline
 * of its own.
 */
const immediately = { timeoutMs: 6_000 }

describe('DeliveryWorker is fair between tenants', () => {
  const queue = useQueueFixture()

  it('starts the deliveries of others immediately while an unresponsive tenant has 5,000 waiting', async () => {
    const unresponsive = await queue.addTenant()
    const tenantId = await queue.addTenant()
    await queue.addDeliveries(unresponsive, 5_000)
    const { sender, release } = createUnresponsiveReceivers([unresponsive])
    const worker = queue.startWorker({ sender, pollMs: 60_000 })
    await eventually(() => sender.inFlight === 8)
    for (let sent = 1; sent <= 20; sent += 1) {
      await queue.addDelivery(tenantId)
      worker.wake()
      await eventually(() => sender.requests.length === 8 + sent, immediately)
    }
    const tenants = sender.requests.map(request => request.tenantId)
    expect(tenants.slice(0, 8)).to.deep.equal(Array(8).fill(unresponsive))
    expect(tenants.slice(8)).to.deep.equal(Array(20).fill(tenantId))
    release()
  })

  it('keeps half of its capacity for others while 100 receivers become unresponsive', async () => {
    const unresponsive = await queue.addTenants(100)
    for (const id of unresponsive) await queue.addDeliveries(id, 10)
    const tenantId = await queue.addTenant()
    const { sender, release } = createUnresponsiveReceivers(unresponsive)
    const worker = queue.startWorker({ sender, pollMs: 60_000 })
    // Half of the 512 concurrent deliveries.
    await eventually(() => sender.inFlight === 256)
    await queue.addDeliveries(tenantId, 2)
    worker.wake()
    await eventually(() => sender.requests.length === 258, immediately)
    expect(sender.requests.slice(256).map(request => request.tenantId)).to.deep.equal([tenantId, tenantId])
    release()
  })

  it('limits a tenant to two concurrent deliveries after a timeout, and to eight after a success', async () => {
    const tenantId = await queue.addTenant()
    await queue.addDeliveries(tenantId, 60)
    let result = timeout
    let gate = Promise.withResolvers<void>()
    const sender = createFakeSender(async () => {
      await gate.promise
      return result
    })
    const completeAttempts = async (expected: { requests: number; inFlight: number }) => {
      const opened = gate
      gate = Promise.withResolvers()
      opened.resolve()
      await eventually(() => sender.requests.length === expected.requests)
      expect(sender.inFlight).to.equal(expected.inFlight)
    }
    queue.startWorker({ sender })
    await eventually(() => sender.inFlight === 8)
    await completeAttempts({ requests: 10, inFlight: 2 })
    result = success
    await completeAttempts({ requests: 18, inFlight: 8 })
    gate.resolve()
  })

  it('takes the first delivery of every tenant before the second of any', async () => {
    const tenants = await queue.addTenants(5)
    for (const id of tenants) await queue.addDeliveries(id, 5)
    const { sender, release } = createUnresponsiveReceivers(tenants)
    queue.startWorker({ sender, concurrency: 5 })
    await eventually(() => sender.inFlight === 5)
    expect(sender.requests.map(request => request.tenantId)).to.have.members(tenants)
    release()
  })

  it('has at most eight deliveries of a tenant in flight, and sends none twice, with three workers', async () => {
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
    expect(highest).to.equal(8)
  })

  it('leaves a tenant to the worker that is claiming its deliveries, and counts those afterwards', async () => {
    const tenantId = await queue.addTenant()
    const other = await queue.addTenant()
    await queue.addDeliveries(tenantId, 20)
    const { first, resume } = await pausedClaim()
    const id = await queue.addDelivery(other)
    expect((await claim(queue.pool)).claimed.map(({ verificationId }) => verificationId)).to.deep.equal([id])
    resume()
    expect((await first).claimed).to.have.lengthOf(8)
    expect((await claim(queue.pool)).claimed).to.have.lengthOf(0)
  })

  it('never makes a completion wait for a claim', async () => {
    const tenantId = await queue.addTenant()
    await queue.addDeliveries(tenantId, 20)
    const { first, resume } = await pausedClaim()
    await queue.addDelivery(tenantId)
    resume()
    await first
    expect(await queue.deliveries(tenantId)).to.have.lengthOf(21)
  })

  it('delivers what becomes due again while others of the tenant are being claimed', async () => {
    const tenantId = await queue.addTenant()
    const [id] = (await queue.addDeliveries(tenantId, 1)) as [string]
    const now = new Date()
    const [delivery] = (await claim(queue.pool, now)).claimed
    await queue.addDeliveries(tenantId, 3)
    const { first: second, resume } = await pausedClaim()
    const unsent = { result: 'unsent', isUnresponsive: null, attemptedAt: null, failure: null } as const
    const outcome = { ...delivery!, ...unsent, dueAt: now }
    const recorded = recordOutcomes(queue.pool, [outcome])
    await eventually(async () => {
      const waiting = await queue.query(
        'select from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())',
      )
      return waiting.length === 1
    })
    resume()
    await second
    expect(await recorded).to.equal(1)
    const { claimed } = await claim(queue.pool)
    expect(claimed.map(({ verificationId }) => verificationId)).to.deep.equal([id])
  })

  /** A claim that has selected its deliveries and has not committed. */
  async function pausedClaim() {
    const { pool, reached, resume } = pauseAtCommit(queue.pool, 'before')
    const first = claim(pool)
    await reached
    return { first, resume }
  }
})

/** A sender whose attempts for these tenants time out when they are released, not earlier; others succeed. */
function createUnresponsiveReceivers(tenants: readonly string[]) {
  const unresponsive = new Set(tenants)
  const released = Promise.withResolvers<typeof timeout>()
  const sender = createFakeSender(({ tenantId }) => (unresponsive.has(tenantId) ? released.promise : success))
  return { sender, release: () => released.resolve(timeout) }
}
