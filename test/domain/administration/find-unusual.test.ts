import { expect } from 'chai'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { findUnusual } from '#domain/usage/find-unusual.ts'
import { UsageDay } from '#domain/usage/usage-day.entity.ts'
import { addDays } from '#domain/usage/usage-period.ts'
import { useFixture } from './fixture.ts'

describe('what is unusual today', () => {
  const fixture = useFixture()
  const today = '2026-11-20'
  const yesterday = addDays(today, -1)
  let tenantId: string
  beforeEach(async () => {
    fixture.time.now = new Date(`${today}T12:00:00.000Z`)
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
  })

  const find = () => findUnusual(fixture.operatorFor(tenantId))

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

  it('is what differs from the same weekday of the four weeks before, and from no other day', async () => {
    await storeWeekday(today, [1, 2, 3, 4, 5])
    await storeDay(yesterday, { approved: 5, denied: 85 })
    await storeDay(today, { approved: 60, denied: 30 })
    const { findings, ...basis } = await find()
    const earlier = { days: 4, ended: 400 }
    expect(basis).to.deep.equal({ day: today, isOver: false, isKnown: true, earlier })
    expect(findings.map(({ of }) => of)).to.deep.equal(['approval'])
    const { value, low, high } = findings[0]!
    expect(value).to.equal(60 / 90)
    expect(low).to.be.within(0.7, 0.85)
    expect(high).to.be.within(0.93, 1)
  })

  it('is that of yesterday while today has too few results', async () => {
    await storeWeekday(yesterday)
    await storeDay(yesterday, { started: 50 })
    const { day, isOver, findings } = await find()
    expect({ day, isOver }).to.deep.equal({ day: yesterday, isOver: true })
    expect(findings).to.deep.equal([{ of: 'starts', value: 50, low: 100 / 1.5, high: 150 }])
  })

  it('is not that a day which is not over has fewer starts', async () => {
    await storeWeekday(today)
    await storeDay(today, { started: 30 })
    expect((await find()).findings).to.deep.equal([])
    await storeDay(addDays(today, 1), { started: 200 })
    fixture.time.now = new Date(`${addDays(today, 1)}T06:00:00.000Z`)
    await storeWeekday(addDays(today, 1))
    expect((await find()).findings.map(({ of }) => of)).to.deep.equal(['starts'])
  })
})
