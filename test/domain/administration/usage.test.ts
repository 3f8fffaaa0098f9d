import { expect } from 'chai'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { currentUsage } from '#domain/usage/current-usage.ts'
import { dailyUsage } from '#domain/usage/daily-usage.ts'
import { UsageDay } from '#domain/usage/usage-day.entity.ts'
import { UsageMonth } from '#domain/usage/usage-month.entity.ts'
import { monthEnd, monthOf } from '#domain/usage/usage-period.ts'
import { type Fixture, openFixture } from './fixture.ts'
import { rejected } from './rejected.ts'

describe('usage', () => {
  let fixture: Fixture
  let tenantId: string
  before(async () => {
    fixture = await openFixture()
  })
  after(() => fixture.close())
  beforeEach(async () => {
    fixture.time.now = new Date('2026-11-20T12:00:00.000Z')
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
  })

  for (const [now, month, end] of [
    ['2026-11-20T12:00:00.000Z', '2026-11-01', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', '2028-02-01', '2028-03-01T00:00:00.000Z'],
  ] as const) {
    it(`at ${now} counts for ${month} and resets at ${end}`, () => {
      expect(monthOf(new Date(now))).to.equal(month)
      expect(monthEnd(new Date(now)).toISOString()).to.equal(end)
    })
  }

  it('of the current month is returned with the limits of the plan, without other months', async () => {
    const { em } = fixture.operator()
    em.create(UsageMonth, { tenantId, month: '2026-11-01', used: 42 })
    em.create(UsageMonth, { tenantId, month: '2026-10-01', used: 1_000 })
    await em.flush()
    expect(await currentUsage(fixture.operatorFor(tenantId))).to.deep.equal({
      used: 42,
      monthlyQuota: 10_000,
      hardLimit: 20_000,
      overage: false,
      resetsAt: new Date('2026-12-01T00:00:00.000Z'),
      projectedEndAt: null,
    })
    fixture.time.now = new Date('2026-12-01T00:00:00.000Z')
    expect((await currentUsage(fixture.operatorFor(tenantId))).used).to.equal(0)
  })

  it('by day includes days without usage, from the first of the month to today', async () => {
    const { em } = fixture.operator()
    em.create(UsageDay, { tenantId, day: '2026-11-03', started: 5, approved: 3, denied: 1, resubmission: 1 })
    em.create(UsageDay, { tenantId, day: '2026-10-31', started: 9 })
    await em.flush()
    const days = await dailyUsage(fixture.operatorFor(tenantId))
    expect(days.map(({ day }) => day)).to.have.length(20)
    expect([days[0]!.day, days.at(-1)!.day]).to.deep.equal(['2026-11-01', '2026-11-20'])
    const results = { approved: 0, denied: 0, rejected: 0, submitted: 0, resubmission: 0 }
    const ages = { over18: 0, under18: 0, ageUnknown: 0 }
    const nothing = { started: 0, opened: 0, handedIn: 0, ...results, ...ages, medianSeconds: null }
    expect(days[1]).to.deep.equal({ day: '2026-11-02', ...nothing })
    expect(days[2]).to.deep.equal({
      ...nothing,
      day: '2026-11-03',
      started: 5,
      approved: 3,
      denied: 1,
      resubmission: 1,
      ageUnknown: 3,
    })
  })

  it('by day is limited to 366 days in chronological order', async () => {
    const usageOf = (from: string, to: string) => dailyUsage(fixture.operatorFor(tenantId), { from, to })
    expect(await usageOf('2028-01-01', '2028-12-31')).to.have.length(366)
    expect(await usageOf('2026-11-20', '2026-11-20')).to.have.length(1)
    await rejected(usageOf('2025-11-19', '2026-11-20'), 'INVALID_PARAMETERS')
    await rejected(usageOf('2026-11-20', '2026-11-19'), 'INVALID_PARAMETERS')
    await rejected(usageOf('2026-02-30', '2026-03-01'), 'INVALID_PARAMETERS')
    await rejected(usageOf('2026-11-20T00:00:00Z', '2026-11-21'), 'INVALID_PARAMETERS')
  })
})
