import { expect } from 'chai'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { compareDay } from '#domain/usage/compare-day.ts'
import { comparePeriods } from '#domain/usage/compare-periods.ts'
import { UsageDay } from '#domain/usage/usage-day.entity.ts'
import { addDays } from '#domain/usage/usage-period.ts'
import { useFixture } from './fixture.ts'

describe('the comparison of a day', () => {
  const fixture = useFixture()
  const today = '2026-11-20'
  const yesterday = addDays(today, -1)
  let tenantId: string
  beforeEach(async () => {
    fixture.time.now = new Date(`${today}T12:00:00.000Z`)
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
  })

  const compare = () => compareDay(fixture.operatorFor(tenantId))

  /** A day on which 100 verifications ended, of which 90 were decided. */
  async function storeDay(
    day: string,
    counts: Partial<Pick<UsageDay, 'started' | 'approved' | 'denied'>> = {},
  ) {
    const steps = { opened: 97, userSubmitted: 92, rejected: 8, submitted: 2 }
    const decided = { approved: 80, denied: 10, over18: 70, under18: 10 }
    const { em } = fixture.operator()
    em.create(UsageDay, { tenantId, day, started: 100, ...steps, ...decided, ...counts })
    await em.flush()
  }
  const storeWeekday = async (day: string, weeks = [1, 2, 3, 4]) => {
    for (const week of weeks) await storeDay(addDays(day, -7 * week))
  }

  it('is with the same weekday of the four weeks before, and with no other day', async () => {
    await storeWeekday(today, [1, 2, 3, 4, 5])
    await storeDay(yesterday, { approved: 5, denied: 85 })
    await storeDay(today, { approved: 60, denied: 30 })
    const { usage, isOver, earlier, approval, completion, opening, submission, decision } = await compare()
    expect(usage).to.include({ from: today, to: today, approved: 60, decided: 90, ended: 100 })
    expect({ isOver, earlier }).to.deep.equal({ isOver: false, earlier: { days: 4, ended: 400 } })
    expect(approval.verdict).to.equal('low')
    expect(approval.normal!.low).to.be.within(0.7, 0.85)
    expect(approval.normal!.high).to.be.within(0.93, 1)
    for (const { verdict } of [completion, opening, submission, decision]) expect(verdict).to.equal('normal')
  })

  it('says that nothing is unusual of a day like those before', async () => {
    await storeWeekday(today)
    await storeDay(today)
    const { usage: _, isOver, earlier, ...compared } = await compare()
    expect(Object.values(compared).map(({ verdict }) => verdict)).to.deep.equal(Array(7).fill('normal'))
  })

  it('is that of yesterday while today has too few results', async () => {
    await storeWeekday(yesterday)
    await storeDay(yesterday, { started: 50 })
    const { usage, isOver, starts } = await compare()
    expect(usage.from).to.equal(yesterday)
    expect(isOver).to.equal(true)
    expect(starts).to.deep.equal({ normal: { low: 100 / 1.5, high: 150 }, verdict: 'low' })
  })

  it('expects no day that is not over to have as many starts', async () => {
    await storeWeekday(today)
    await storeDay(today, { started: 30 })
    expect((await compare()).starts.verdict).to.equal('normal')
    await storeDay(addDays(today, 1), { started: 200 })
    fixture.time.now = new Date(`${addDays(today, 1)}T06:00:00.000Z`)
    await storeWeekday(addDays(today, 1))
    expect((await compare()).starts.verdict).to.equal('high')
  })

  it('has nothing to say about a new tenant', async () => {
    const { usage, earlier, ...rest } = await compare()
    expect(usage).to.include({ from: today, ended: 0 })
    expect(earlier).to.deep.equal({ days: 0, ended: 0 })
    const { isOver: _, ...compared } = rest
    for (const comparison of Object.values(compared)) {
      expect(comparison).to.deep.equal({ normal: null, verdict: 'unknown' })
    }
  })

  it('is also one of two periods, and says since when there is any usage', async () => {
    const periods = {
      current: { from: '2026-11-08', to: '2026-11-14' },
      previous: { from: '2026-11-01', to: '2026-11-07' },
    }
    const comparison = () => comparePeriods(fixture.operatorFor(tenantId), periods)
    expect(await comparison()).to.deep.include({ firstDay: null })
    for (const day of ['2026-11-05', '2026-11-07', '2026-11-08', '2026-11-14', '2026-11-15'])
      await storeDay(day)
    const { current, previous, firstDay } = await comparison()
    expect(current).to.include({ ...periods.current, started: 200, ended: 200, decided: 180, approved: 160 })
    expect(previous).to.include({ ...periods.previous, started: 200, over18: 140 })
    expect(firstDay).to.equal('2026-11-05')
  })
})
