import { expect } from 'chai'
import { eventually } from '#test/harness/eventually.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { createFakeSender, expired, serverError, success } from './fake-sender.ts'
import { useQueueFixture } from './fixture.ts'

describe('DeliveryWorker attempts a delivery', () => {
  const queue = useQueueFixture()

  it('once when the first attempt succeeds', async () => {
    const { tenantId, clock, id, sender } = await queue.startDelivery()
    await queue.untilState(id, 'delivered')
    const row = await queue.delivery(id)
    expect(row).to.include({ attempts: 1, failure: null })
    clock.advance(60 * 60_000)
    const later = await queue.addDelivery(tenantId, clock())
    await queue.untilState(later, 'delivered')
    expect(sender.requests).to.have.lengthOf(2)
  })

  it('again after 1 minute and after 10 more minutes, each ±10 %, and never a fourth time', async () => {
    let random = 0
    const { tenantId, clock, id, sender } = await queue.startDelivery(() => serverError, {
      random: () => random,
    })
    const first = await queue.untilAttempted(id, 1)
    expect(first.due_at.getTime() - clock().getTime()).to.equal(54_000)
    clock.advance(53_999)
    await queue.addDelivery(tenantId, clock())
    await eventually(() => sender.requests.length === 2)
    expect((await queue.delivery(id)).attempts).to.equal(1)
    random = 0.999_999
    clock.advance(1)
    const second = await queue.untilAttempted(id, 2)
    expect(second.due_at.getTime() - clock().getTime()).to.be.within(659_990, 660_000)
    clock.advance(660_000)
    const third = await queue.untilAttempted(id, 3)
    expect(third.state).to.equal('failed')
    const requestsOfDelivery = () => sender.requests.filter(({ body }) => body.includes(id))
    clock.advance(20 * 60_000)
    await queue.addDelivery(tenantId, clock())
    await eventually(async () => (await queue.deliveries(tenantId)).every(row => row.attempts >= 1))
    expect(requestsOfDelivery()).to.have.lengthOf(3)
  })

  it('that became due while no worker ran, also for a disabled tenant', async () => {
    const tenantId = await queue.addTenant()
    await queue.query('update tenant set disabled_at = now() where id = $1', [tenantId])
    const id = await queue.addDelivery(tenantId, new Date(Date.now() - 23 * 60 * 60_000))
    const sender = createFakeSender()
    queue.startWorker({ sender })
    await queue.untilState(id, 'delivered')
    expect(sender.requests).to.have.lengthOf(1)
  })

  it('with the webhook URL that the tenant has at the time of the attempt', async () => {
    const { tenantId, clock, id, sender } = await queue.startDelivery(
      ({ url }) => (url.includes('old') ? serverError : success),
      { url: 'https://old.test/' },
    )
    await queue.untilAttempted(id, 1)
    await queue.query("update tenant set webhook_url = 'https://new.test/' where id = $1", [tenantId])
    clock.advance(66_000)
    await queue.untilState(id, 'delivered')
    expect(sender.requests.map(({ url }) => url)).to.deep.equal(['https://old.test/', 'https://new.test/'])
  })

  it('not at all, and gives it up, when the tenant has no webhook URL any more', async () => {
    const withoutUrl = await queue.addTenant({ url: null })
    const tenantId = await queue.addTenant()
    await queue.addDeliveries(withoutUrl, 20)
    const id = await queue.addDelivery(tenantId)
    const sender = createFakeSender()
    queue.startWorker({ sender })
    await eventually(async () =>
      (await queue.deliveries(withoutUrl)).every(({ state }) => state === 'failed'),
    )
    await queue.untilState(id, 'delivered')
    for (const row of await queue.deliveries(withoutUrl)) {
      expect(row).to.include({ attempts: 0, attempted_at: null, failure: 'no_url' })
    }
    expect(sender.requests.map(request => request.tenantId)).to.deep.equal([tenantId])
  })

  it('not any more, and gives it up, 24 hours after it was created', async () => {
    const tenantId = await queue.addTenant()
    const clock = createTestClock()
    const dayMs = 24 * 60 * 60_000
    const old = await queue.addDelivery(tenantId, new Date(clock().getTime() - dayMs))
    const last = await queue.addDelivery(tenantId, new Date(clock().getTime() - dayMs + 1))
    const sender = createFakeSender()
    queue.startWorker({ sender, clock })
    await queue.untilState(last, 'delivered')
    await queue.untilState(old, 'failed')
    expect(await queue.delivery(old)).to.include({ attempts: 0, failure: 'expired' })
    expect(sender.requests).to.have.lengthOf(1)
  })

  it('later, without counting an attempt or delaying others, when the request cannot be signed', async () => {
    const broken = await queue.addTenant()
    await queue.query("update webhook_secret set encrypted_secret = '\\x01' where tenant_id = $1", [broken])
    const tenantId = await queue.addTenant()
    const clock = createTestClock()
    const unsigned = await queue.addDelivery(broken, clock())
    const id = await queue.addDelivery(tenantId, clock())
    const sender = createFakeSender()
    queue.startWorker({ sender, clock })
    await queue.untilState(id, 'delivered')
    const row = await queue.untilAttempted(unsigned, 0)
    expect(row.due_at.getTime()).to.equal(clock().getTime() + 60_000)
    expect(sender.requests).to.have.lengthOf(1)
  })

  it('and stores when it was made and why it failed, until another one is', async () => {
    const results = [serverError, expired, success]
    const { clock, id } = await queue.startDelivery(() => results.shift()!)
    for (const [index, failure] of ['status_500', 'tls_expired'].entries()) {
      const row = await queue.untilAttempted(id, index + 1)
      expect(row).to.deep.include({ attempted_at: clock(), failure })
      clock.advance(660_000)
    }
    await queue.untilState(id, 'delivered')
    expect(await queue.delivery(id)).to.deep.include({ attempted_at: clock(), failure: null, attempts: 3 })
  })

  it('again when an internal error ended the attempt, which stays counted', async () => {
    const results = [() => Promise.reject(new Error('unexpected')), () => success]
    const { clock, id } = await queue.startDelivery(() => results.shift()!())
    expect((await queue.untilAttempted(id, 1)).failure).to.equal('error')
    clock.advance(66_000)
    await queue.untilState(id, 'delivered')
    expect((await queue.delivery(id)).attempts).to.equal(2)
  })
})
