import { expect } from 'chai'
import { isDay, isMinute } from '../../dashboard/src/components/dates.ts'
import {
  addDays,
  countDays,
  type Days,
  type PeriodName,
  periodDays,
  periodNames,
} from '../../dashboard/src/components/periods.ts'
import { chooseUnit, toBins } from '../../dashboard/src/overview/bins.ts'

const text = ({ from, to }: Days) => `${from} ${to}`

describe('the periods that can be chosen', () => {
  // A Thursday.
  const today = '2026-11-26'
  for (const [name, days] of [
    ['today', '2026-11-26 2026-11-26'],
    ['week', '2026-11-23 2026-11-26'],
    ['last-week', '2026-11-16 2026-11-22'],
    ['month', '2026-11-01 2026-11-26'],
    ['last-month', '2026-10-01 2026-10-31'],
    ['quarter', '2026-10-01 2026-11-26'],
    ['last-quarter', '2026-07-01 2026-09-30'],
    ['year', '2026-01-01 2026-11-26'],
    ['7d', '2026-11-20 2026-11-26'],
    ['30d', '2026-10-28 2026-11-26'],
    ['90d', '2026-08-29 2026-11-26'],
  ] as const) {
    it(`${name} has the days that people mean`, () => {
      expect(text(periodDays(name, today))).to.equal(days)
    })
  }

  it('of any day have 366 days at most', () => {
    for (let day = '2023-12-25'; day < '2025-01-10'; day = addDays(day, 1)) {
      for (const name of periodNames) {
        expect(countDays(periodDays(name, day)), `${name} on ${day}`).to.be.within(1, 366)
      }
    }
  })

  it('begin with the year, the quarter, the month and the week on their first day', () => {
    const on = (day: string, name: PeriodName) => text(periodDays(name, day))
    expect(on('2026-01-01', 'last-quarter')).to.equal('2025-10-01 2025-12-31')
    expect(on('2026-01-01', 'last-month')).to.equal('2025-12-01 2025-12-31')
    expect(on('2026-11-23', 'week')).to.equal('2026-11-23 2026-11-23')
    expect(on('2026-11-29', 'week')).to.equal('2026-11-23 2026-11-29')
  })
})

describe('the bars of a chart', () => {
  const binsOf = ({ from, to }: Days, width: number, today = to) => {
    const days = Array.from({ length: countDays({ from, to }) }, (_, index) => ({
      day: addDays(from, index),
      counts: { approved: 1 },
    }))
    return toBins(days, chooseUnit(days.length, width), today)
  }

  it('have 7 pixels each, whatever the range and the width, and count each day once', () => {
    for (let count = 1; count <= 366; count++) {
      for (const width of [150, 174, 229, 400, 700, 1_400]) {
        const bins = binsOf({ from: addDays('2026-11-26', 1 - count), to: '2026-11-26' }, width)
        expect(width / bins.length, `${count} days in ${width} pixels`).to.be.at.least(7)
        expect(bins.reduce((sum, { counts }) => sum + counts.approved!, 0)).to.equal(count)
      }
    }
  })

  it('are days up to 89 days, weeks from 90 on, and months beyond 280', () => {
    const units = [89, 90, 280, 281].map(count => chooseUnit(count, 1_000))
    expect(units).to.deep.equal(['day', 'week', 'week', 'month'])
    expect(chooseUnit(30, 180)).to.equal('week')
  })
})

describe('the times in a URL', () => {
  it('are days and minutes that the calendar has', () => {
    for (const time of ['2024-02-29', '2026-11-20T21:00'])
      expect(isDay(time) || isMinute(time), time).to.equal(true)
    for (const time of ['2025-02-29', '2026-02-30T10:00', '2026-1-2', 'x', '2026-01-01T24:00']) {
      expect(isDay(time) || isMinute(time), time).to.equal(false)
    }
  })
})
