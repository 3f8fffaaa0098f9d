import { expect } from 'chai'
import { setTenantPlan } from '#domain/tenant/change-tenant-access.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { definePlan } from '#domain/tenant/define-plan.ts'
import { currentUsage } from '#domain/usage/current-usage.ts'
import { dailyUsage } from '#domain/usage/daily-usage.ts'
import { summarizeUsage } from '#domain/usage/summarize-usage.ts'
import { UsageDay } from '#domain/usage/usage-day.entity.ts'
import { UsageMonth } from '#domain/usage/usage-month.entity.ts'
import { useFixture } from './fixture.ts'

describe('usage', () => {
  const fixture = useFixture()
  let tenantId: string
  const operator = () => fixture.operatorFor(tenantId)
  beforeEach(async () => {
    fixture.time.now = new Date('2026-11-20T12:00:00.000Z')
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
  })

  it('of the current month is returned with the limits of the plan, without other months', async () => {
    const { em } = fixture.operator()
    em.create(UsageMonth, { tenantId, month: '2026-11-01', used: 42 })
    em.create(UsageMonth, { tenantId, month: '2026-10-01', used: 1_000 })
    await em.flush()
    expect(await currentUsage(operator())).to.deep.equal({
      used: 42,
      monthlyQuota: 10_000,
      hardLimit: 20_000,
      overage: false,
      resetsAt: new Date('2026-12-01T00:00:00.000Z'),
      reached: null,
      startsPerDay: 0,
      projectedEndAt: null,
    })
    fixture.time.now = new Date('2026-12-01T00:00:00.000Z')
    expect((await currentUsage(operator())).used).to.equal(0)
  })

  it('says which limit rejects further starts, as these are rejected', async () => {
    const { em } = fixture.operator()
    const month = em.create(UsageMonth, { tenantId, month: '2026-11-01', used: 0 })
    const reachedAt = async (used: number) => {
      month.used = used
      await em.flush()
      return (await currentUsage(operator())).reached
    }
    expect(await reachedAt(9_999)).to.equal(null)
    expect(await reachedAt(10_000)).to.equal('QUOTA_EXCEEDED')
    expect(await reachedAt(20_000)).to.equal('HARD_LIMIT_EXCEEDED')
    await definePlan(fixture.operator(), {
      name: 'overage',
      overage: true,
      monthlyQuota: 10_000,
      hardLimit: 20_000,
    })
    await setTenantPlan(operator(), { plan: 'overage' })
    expect(await reachedAt(19_999)).to.equal(null)
    expect(await reachedAt(20_000)).to.equal('HARD_LIMIT_EXCEEDED')
  })

  it('by day includes days without usage, from the first of the month to today', async () => {
    const { em } = fixture.operator()
    em.create(UsageDay, { tenantId, day: '2026-11-03', started: 5, approved: 3, denied: 1, resubmission: 1 })
    em.create(UsageDay, { tenantId, day: '2026-10-31', started: 9 })
    await em.flush()
    const days = await dailyUsage(operator())
    expect(days.map(({ day }) => day)).to.have.length(20)
    expect([days[0]!.day, days.at(-1)!.day]).to.deep.equal(['2026-11-01', '2026-11-20'])
    const results = { approved: 0, denied: 0, rejected: 0, submitted: 0, resubmission: 0 }
    const ages = { over18: 0, under18: 0, ageUnknown: 0 }
    const nothing = { started: 0, opened: 0, userSubmitted: 0, ...results, ...ages }
    expect(days[1]).to.deep.include({ day: '2026-11-02', ...nothing })
    expect(days[2]).to.deep.include({
      ...nothing,
      day: '2026-11-03',
      started: 5,
      approved: 3,
      denied: 1,
      resubmission: 1,
      ageUnknown: 3,
    })
  })

  it('is projected to the limit at the pace of the last 7 days, if that is within the month', async () => {
    const projected = async () => (await currentUsage(operator())).projectedEndAt
    const { em } = fixture.operator()
    // In the 6.5 days since the beginning of 14 November, 6,500 of the 10,000.
    em.create(UsageDay, { tenantId, day: '2026-11-13', started: 5_000 })
    em.create(UsageDay, { tenantId, day: '2026-11-14', started: 6_000 })
    em.create(UsageDay, { tenantId, day: '2026-11-20', started: 500 })
    const month = em.create(UsageMonth, { tenantId, month: '2026-11-01', used: 5_000 })
    await em.flush()
    expect((await currentUsage(operator())).startsPerDay).to.equal(1_000)
    expect(await projected()).to.deep.equal(new Date('2026-11-25T12:00:00.000Z'))
    month.used = 9_999
    await em.flush()
    expect(await projected()).to.deep.equal(new Date('2026-11-20T12:01:26.400Z'))
    month.used = 10_000
    await em.flush()
    expect(await projected()).to.equal(null)
    fixture.time.now = new Date('2026-12-20T12:00:00.000Z')
    expect(await projected()).to.equal(null)
  })

  it('of a period counts what ended in it, and no other day', async () => {
    const { em } = fixture.operator()
    const results = { approved: 6, denied: 2, rejected: 1, submitted: 1, resubmission: 1 }
    const first = { day: '2026-11-10', started: 20, ...results, opened: 10, userSubmitted: 9 }
    em.create(UsageDay, { tenantId, ...first })
    em.create(UsageDay, { tenantId, day: '2026-11-11', approved: 4, over18: 2, under18: 1, started: 1 })
    em.create(UsageDay, { tenantId, day: '2026-11-12', started: 100 })
    em.create(UsageDay, { tenantId, day: '2026-11-09', denied: 3 })
    await em.flush()
    const period = { from: '2026-11-10', to: '2026-11-11' }
    const { current, change } = await summarizeUsage(operator(), period)
    expect(change).to.equal(null)
    const progress = { started: 21, ended: 15, opened: 10, submitted: 9, decided: 12 }
    const ages = { over18: 2, under18: 1, ageUnknown: 7 }
    const outcomes = { approved: 10, denied: 2, rejected: 1 }
    expect(current).to.deep.include({ ...period, ...progress, ...ages, ...outcomes })
  })

  it('of a period is compared by its days that are over with as many before, if there was usage as long ago', async () => {
    const changeOf = async (from: string, to: string) =>
      (await summarizeUsage(operator(), { from, to })).change
    const { em } = fixture.operator()
    const days = ['2026-11-05', '2026-11-07', '2026-11-08', '2026-11-14', '2026-11-15', '2026-11-20']
    for (const day of days) em.create(UsageDay, { tenantId, day, started: 100 })
    await em.flush()
    const change = await changeOf('2026-11-12', '2026-11-16')
    expect(change!.current).to.include({ from: '2026-11-12', to: '2026-11-16', started: 200 })
    expect(change!.previous).to.include({ from: '2026-11-07', to: '2026-11-11', started: 200 })
    const untilToday = await changeOf('2026-11-14', '2026-11-20')
    expect(untilToday!.current).to.include({ from: '2026-11-14', to: '2026-11-19', started: 200 })
    expect(untilToday!.previous).to.include({ from: '2026-11-08', to: '2026-11-13', started: 100 })
    expect(await changeOf('2026-11-08', '2026-11-12')).to.equal(null)
    expect(await changeOf('2026-11-20', '2026-11-20')).to.equal(null)
  })
})
