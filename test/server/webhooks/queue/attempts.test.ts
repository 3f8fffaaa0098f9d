import { expect } from 'chai'
import { createTestClock } from '#test/support/test-clock.ts'
import { type Fixture, fakeSender, openFixture, refusal, success, until, useWorkers } from './fixture.ts'

describe('attempts of a delivery', () => {
  let fixture: Fixture
  const startWorker = useWorkers()
  before(async () => {
    fixture = await openFixture()
  })
  beforeEach(() => fixture.clear())
  after(() => fixture.close())

  it('makes one attempt if it succeeds, and no other', async () => {
    const tenant = await fixture.addTenant()
    const [id] = await fixture.addEvents(tenant.id)
    const clock = createTestClock()
    const sender = fakeSender()
    startWorker(fixture, { sender, clock })
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
    const row = await fixture.row(id!)
    expect(row).to.include({ attempts: 1, claim_token: null, lease_until: null })
    clock.advance(60 * 60_000)
    const [later] = await fixture.addEvents(tenant.id, 1, clock())
    await until(async () => (await fixture.row(later!))?.state === 'delivered')
    expect(sender.attempts).to.have.lengthOf(2)
  })

  it('repeats when it is due, and not when it happens to be looked for', async () => {
    const tenant = await fixture.addTenant()
    await fixture.addEvents(tenant.id)
    const attemptedAt: number[] = []
    const sender = fakeSender(() => {
      attemptedAt.push(performance.now())
      return refusal
    })
    startWorker(fixture, { sender, random: () => 0.5, retryDelaysMs: [200, 300], pollMs: 60_000 }).wake()
    await until(() => attemptedAt.length === 3)
    const [first = 0, second = 0, third = 0] = attemptedAt
    expect(second - first).to.be.at.least(200)
    expect(third - second).to.be.at.least(300)
  })

  it('repeats after 1 minute and 10 more, each ±10 %, and never a fourth time', async () => {
    const tenant = await fixture.addTenant()
    const clock = createTestClock()
    const [id] = await fixture.addEvents(tenant.id, 1, clock())
    const sender = fakeSender(() => refusal)
    let random = 0
    startWorker(fixture, { sender, clock, random: () => random })
    const failedAttempt = async (attempt: number) => {
      await until(async () => {
        const row = await fixture.row(id!)
        return row?.attempts === attempt && row.state !== 'in_flight'
      })
      return (await fixture.row(id!))!
    }
    const first = await failedAttempt(1)
    expect(first.due_at.getTime() - clock().getTime()).to.equal(54_000)
    clock.advance(53_999)
    await fixture.addEvents(tenant.id, 1, clock())
    await until(() => sender.attempts.length === 2)
    expect((await fixture.row(id!))!.attempts).to.equal(1)
    random = 0.999_999
    clock.advance(1)
    const second = await failedAttempt(2)
    expect(second.due_at.getTime() - clock().getTime()).to.be.within(659_990, 660_000)
    clock.advance(660_000)
    const third = await failedAttempt(3)
    expect(third.state).to.equal('failed')
    const ofThis = () => sender.attempts.filter(({ body }) => body.includes(id!))
    clock.advance(20 * 60_000)
    await fixture.addEvents(tenant.id, 1, clock())
    await until(async () => (await fixture.rows(tenant.id)).every(row => row.attempts >= 1))
    expect(ofThis()).to.have.lengthOf(3)
  })

  it('sends what became due while no worker ran, to disabled tenants too', async () => {
    const tenant = await fixture.addTenant()
    await fixture.query('update tenant set disabled_at = now() where id = $1', [tenant.id])
    const [id] = await fixture.addEvents(tenant.id, 1, new Date(Date.now() - 23 * 60 * 60_000))
    const sender = fakeSender()
    startWorker(fixture, { sender })
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
    expect(sender.attempts).to.have.lengthOf(1)
  })

  it('uses the URL of that moment', async () => {
    const tenant = await fixture.addTenant({ url: 'https://old.test/' })
    const clock = createTestClock()
    const [id] = await fixture.addEvents(tenant.id, 1, clock())
    const sender = fakeSender(({ url }) => (url.includes('old') ? refusal : success))
    startWorker(fixture, { sender, clock })
    await until(async () => (await fixture.row(id!))?.state === 'pending' && sender.attempts.length === 1)
    await fixture.query("update tenant set webhook_url = 'https://new.test/' where id = $1", [tenant.id])
    clock.advance(66_000)
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
    expect(sender.attempts.map(({ url }) => url)).to.deep.equal(['https://old.test/', 'https://new.test/'])
  })

  it('ends without an attempt when the tenant has no URL any more', async () => {
    const without = await fixture.addTenant({ url: null })
    const tenant = await fixture.addTenant()
    await fixture.addEvents(without.id, 20)
    const [id] = await fixture.addEvents(tenant.id)
    const sender = fakeSender()
    startWorker(fixture, { sender })
    await until(async () => (await fixture.rows(without.id)).length === 0)
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
    expect(sender.attempts.map(({ tenantId }) => tenantId)).to.deep.equal([tenant.id])
  })

  it('ends without an attempt 24 hours after its creation, and not before', async () => {
    const tenant = await fixture.addTenant()
    const clock = createTestClock()
    const dayMs = 24 * 60 * 60_000
    const [over] = await fixture.addEvents(tenant.id, 1, new Date(clock().getTime() - dayMs))
    const [last] = await fixture.addEvents(tenant.id, 1, new Date(clock().getTime() - dayMs + 1))
    const sender = fakeSender()
    startWorker(fixture, { sender, clock })
    await until(async () => (await fixture.row(last!))?.state === 'delivered')
    expect(await fixture.row(over!)).to.equal(undefined)
    expect(sender.attempts).to.have.lengthOf(1)
  })

  it('does not count an attempt that this service could not sign, and lets others pass', async () => {
    const broken = await fixture.addTenant()
    await fixture.query("update webhook_secret set encrypted_secret = '\\x01' where tenant_id = $1", [
      broken.id,
    ])
    const tenant = await fixture.addTenant()
    const clock = createTestClock()
    const [unsigned] = await fixture.addEvents(broken.id, 1, clock())
    const [id] = await fixture.addEvents(tenant.id, 1, clock())
    const sender = fakeSender()
    startWorker(fixture, { sender, clock })
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
    await until(async () => (await fixture.row(unsigned!))?.state === 'pending')
    const row = await fixture.row(unsigned!)
    expect(row!.attempts).to.equal(0)
    expect(row!.due_at.getTime()).to.equal(clock().getTime() + 60_000)
    expect(sender.attempts).to.have.lengthOf(1)
  })

  it('counts an attempt that broke off, and repeats it', async () => {
    const tenant = await fixture.addTenant()
    const clock = createTestClock()
    const [id] = await fixture.addEvents(tenant.id, 1, clock())
    const sender = fakeSender(() => {
      if (sender.attempts.length === 1) throw new Error('unexpected')
      return success
    })
    startWorker(fixture, { sender, clock })
    await until(async () => (await fixture.row(id!))?.state === 'pending' && sender.attempts.length === 1)
    expect((await fixture.row(id!))!.attempts).to.equal(1)
    clock.advance(66_000)
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
  })
})
