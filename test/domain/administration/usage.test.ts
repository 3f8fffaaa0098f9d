import { expect } from 'chai'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { currentUsage } from '#domain/usage/current-usage.ts'
import { dailyUsage } from '#domain/usage/daily-usage.ts'
import { monthEnd, monthOf } from '#domain/usage/usage.policy.ts'
import { UsageDay } from '#domain/usage/usage-day.entity.ts'
import { UsageMonth } from '#domain/usage/usage-month.entity.ts'
import { type Administration, openAdministration } from './administration.ts'
import { refused } from './rejected.ts'

describe('usage', () => {
  let here: Administration
  let tenantId: string
  before(async () => {
    here = await openAdministration()
  })
  after(() => here.close())
  beforeEach(async () => {
    here.time.now = new Date('2026-11-20T12:00:00.000Z')
    tenantId = (await createTenant(here.operator(), { name: 'Shop' })).id
  })

  for (const [now, month, end] of [
    ['2026-11-20T12:00:00.000Z', '2026-11-01', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', '2028-02-01', '2028-03-01T00:00:00.000Z'],
  ] as const) {
    it(`at ${now} counts for ${month} and ends at ${end}`, () => {
      expect(monthOf(new Date(now))).to.equal(month)
      expect(monthEnd(new Date(now)).toISOString()).to.equal(end)
    })
  }

  it('of the month stands against the plan, and of other months does not count', async () => {
    const { em } = here.operator()
    em.create(UsageMonth, { tenantId, month: '2026-11-01', used: 42 })
    em.create(UsageMonth, { tenantId, month: '2026-10-01', used: 1_000 })
    await em.flush()
    expect(await currentUsage(here.operator(), { tenantId })).to.deep.equal({
      ...{ used: 42, monthlyQuota: 10_000, hardLimit: 20_000, overage: false },
      resetsAt: new Date('2026-12-01T00:00:00.000Z'),
    })
    here.time.now = new Date('2026-12-01T00:00:00.000Z')
    expect((await currentUsage(here.operator(), { tenantId })).used).to.equal(0)
  })

  it('by day tells also of days without any, from the first of the month to today', async () => {
    const { em } = here.operator()
    em.create(UsageDay, { tenantId, day: '2026-11-03', started: 5, approved: 3, denied: 1, resubmission: 1 })
    em.create(UsageDay, { tenantId, day: '2026-10-31', started: 9 })
    await em.flush()
    const days = await dailyUsage(here.operator(), { tenantId })
    expect(days.map(({ day }) => day)).to.have.length(20)
    expect([days[0]!.day, days.at(-1)!.day]).to.deep.equal(['2026-11-01', '2026-11-20'])
    const nothing = { started: 0, approved: 0, denied: 0, rejected: 0, submitted: 0, resubmission: 0 }
    expect(days[1]).to.deep.equal({ day: '2026-11-02', ...nothing })
    expect(days[2]).to.deep.equal({
      ...{ ...nothing, day: '2026-11-03', started: 5, approved: 3, denied: 1, resubmission: 1 },
    })
  })

  it('by day can be asked for at most 366 days, in their order', async () => {
    const ask = (from: string, to: string) => dailyUsage(here.operator(), { tenantId, from, to })
    expect(await ask('2028-01-01', '2028-12-31')).to.have.length(366)
    expect(await ask('2026-11-20', '2026-11-20')).to.have.length(1)
    await refused(ask('2025-11-19', '2026-11-20'), 'INVALID_PARAMETERS')
    await refused(ask('2026-11-20', '2026-11-19'), 'INVALID_PARAMETERS')
    await refused(ask('2026-02-30', '2026-03-01'), 'INVALID_PARAMETERS')
    await refused(ask('2026-11-20T00:00:00Z', '2026-11-21'), 'INVALID_PARAMETERS')
  })
})
