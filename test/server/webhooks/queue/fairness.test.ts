import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { claimDeliveries } from '#domain/webhook/claim-deliveries.ts'
import { withClaimLock } from '#domain/webhook/claim-lock.ts'
import type { EventAttempt } from '#server/webhooks/http/make-attempt.ts'
import {
  type FakeSender,
  type Fixture,
  fakeSender,
  hang,
  openFixture,
  success,
  until,
  useWorkers,
} from './fixture.ts'

/** Hangs for the 5 s of the deadline, or until it is let go. */
function hangingFor(tenants: ReadonlySet<string>) {
  const released = Promise.withResolvers<typeof hang>()
  const startedAt: { tenantId: string; at: number }[] = []
  const most = new Map<string, number>()
  const now = new Map<string, number>()
  const sender: FakeSender = fakeSender(async ({ tenantId }: EventAttempt) => {
    startedAt.push({ tenantId, at: performance.now() })
    now.set(tenantId, (now.get(tenantId) ?? 0) + 1)
    most.set(tenantId, Math.max(most.get(tenantId) ?? 0, now.get(tenantId)!))
    const outcome = tenants.has(tenantId) ? await released.promise : success
    now.set(tenantId, now.get(tenantId)! - 1)
    return outcome
  })
  return { sender, startedAt, most, release: () => released.resolve(hang) }
}

describe('one tenant’s receiver and the others’ events', () => {
  let fixture: Fixture
  const startWorker = useWorkers()
  before(async () => {
    fixture = await openFixture()
  })
  beforeEach(() => fixture.clear())
  after(() => fixture.close())

  it('starts others within 1 s, at the median within 100 ms, while one hangs with 5,000 waiting', async () => {
    const hanging = await fixture.addTenant()
    const tenant = await fixture.addTenant()
    await fixture.addEvents(hanging.id, 5_000)
    const { sender, startedAt, most, release } = hangingFor(new Set([hanging.id]))
    const worker = startWorker(fixture, { sender, pollMs: 500 })
    await until(() => sender.underWay === 8)
    const delays: number[] = []
    for (let sent = 0; sent < 20; sent += 1) {
      await fixture.addEvents(tenant.id)
      const committedAt = performance.now()
      worker.wake()
      await until(() => startedAt.length === 9 + sent)
      delays.push(startedAt.at(-1)!.at - committedAt)
    }
    release()
    expect(startedAt.slice(8).every(({ tenantId }) => tenantId === tenant.id)).to.equal(true)
    expect(most.get(hanging.id)).to.equal(8)
    expect(Math.max(...delays)).to.be.below(1_000)
    expect(delays.toSorted((a, b) => a - b)[10]).to.be.below(100)
  })

  it('leaves room for others when 100 receivers hang for the first time', async () => {
    const hanging = await Promise.all(Array.from({ length: 100 }, () => fixture.addTenant()))
    for (const { id } of hanging) await fixture.addEvents(id, 10)
    const tenant = await fixture.addTenant()
    const { sender, startedAt, release } = hangingFor(new Set(hanging.map(({ id }) => id)))
    const worker = startWorker(fixture, { sender, pollMs: 500 })
    // Half of the 512 slots, and no more.
    await until(() => sender.underWay === 256)
    const committed = await fixture.addEvents(tenant.id, 2)
    const committedAt = performance.now()
    worker.wake()
    await until(() => startedAt.length === 258)
    expect(performance.now() - committedAt).to.be.below(1_000)
    expect(committed).to.have.lengthOf(2)
    expect(startedAt.slice(256).every(({ tenantId }) => tenantId === tenant.id)).to.equal(true)
    release()
  })

  it('gives a tenant whose last attempt hung two at a time, and eight again when it answers', async () => {
    const tenant = await fixture.addTenant()
    await fixture.addEvents(tenant.id, 60)
    let isWell = false
    let gate = Promise.withResolvers<void>()
    const sender = fakeSender(async () => {
      await gate.promise
      return isWell ? success : hang
    })
    startWorker(fixture, { sender })
    const letGo = async (attempts: number) => {
      const opened = gate
      gate = Promise.withResolvers()
      opened.resolve()
      await until(() => sender.attempts.length === attempts)
      expect(sender.underWay).to.equal(attempts === 18 ? 8 : 2)
    }
    await until(() => sender.underWay === 8)
    await letGo(10)
    isWell = true
    await letGo(18)
    gate.resolve()
  })

  it('takes each tenant’s first event before any tenant’s second', async () => {
    const tenants = await Promise.all(Array.from({ length: 5 }, () => fixture.addTenant()))
    for (const { id } of tenants) await fixture.addEvents(id, 5)
    const { sender, startedAt, release } = hangingFor(new Set(tenants.map(({ id }) => id)))
    startWorker(fixture, { sender, slots: 5 })
    await until(() => sender.underWay >= 5)
    expect(new Set(startedAt.map(({ tenantId }) => tenantId))).to.have.lengthOf(5)
    release()
  })

  it('never has more than eight of a tenant in flight, nor sends one twice, with three workers', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => fixture.addTenant()))
    for (const { id } of tenants) await fixture.addEvents(id, 150)
    const now = new Map<string, number>()
    let most = 0
    const sender = fakeSender(async ({ tenantId }) => {
      now.set(tenantId, (now.get(tenantId) ?? 0) + 1)
      most = Math.max(most, now.get(tenantId)!)
      await new Promise(resolve => setImmediate(resolve))
      now.set(tenantId, now.get(tenantId)! - 1)
      return success
    })
    for (let worker = 0; worker < 3; worker += 1) startWorker(fixture, { sender })
    await until(async () => {
      const left = await fixture.query("select from delivery where state <> 'delivered' limit 1")
      return left.length === 0
    }, 15_000)
    expect(sender.attempts).to.have.lengthOf(600)
    expect(new Set(sender.attempts.map(({ body }) => body.toString()))).to.have.lengthOf(600)
    expect(most).to.equal(8)
  })

  it('counts what another worker is claiming at the same time', async () => {
    const tenant = await fixture.addTenant()
    const ids = await fixture.addEvents(tenant.id, 20)
    const hasClaimed = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const first = withClaimLock(fixture.pool, async connection => {
      const text = `update delivery set state = 'in_flight', lease_until = now() + interval '8 s' where verification_id = any ($1)`
      await connection.query({ name: '', text, values: [ids.slice(17)] })
      hasClaimed.resolve()
      await mayCommit.promise
    })
    await hasClaimed.promise
    const limits = { free: 128, perTenant: 8, wide: 128, hungTenants: [], perHungTenant: 2, hung: 128 }
    const second = claimDeliveries(fixture.pool, new Date(), limits, randomUUID())
    await until(async () => {
      const waits = await fixture.query("select from pg_locks where locktype = 'advisory' and not granted")
      return waits.length === 1
    })
    mayCommit.resolve()
    await first
    expect((await second).claimed).to.have.lengthOf(5)
  })
})
