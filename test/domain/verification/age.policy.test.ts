import { expect } from 'chai'
import fc from 'fast-check'
import { type AgeEvidence, ageInYears, judgeAge } from '#domain/verification/age.policy.ts'

const on = (day: string, time = '12:00:00.000') => new Date(`${day}T${time}Z`)
const nothing: AgeEvidence = {
  dateOfBirth: null,
  yearOfBirth: null,
  births: [],
  estimatedAges: [],
  reasonCode: null,
}
const isOver18 = (evidence: AgeEvidence, day: Date) => judgeAge(evidence, day).over18
const born = (dateOfBirth: unknown, estimatedAge: unknown = null) => ({
  ...nothing,
  dateOfBirth,
  estimatedAges: [estimatedAge],
})
const bornIn = (yearOfBirth: unknown, estimatedAge: unknown = null) => ({
  ...nothing,
  yearOfBirth,
  estimatedAges: [estimatedAge],
})
const days = fc.date({ min: on('1900-01-01'), max: on('2099-12-31'), noInvalidDate: true })
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

describe('The age policy', () => {
  const boundaries: [string, string, boolean][] = [
    ['2008-06-15', '2026-06-14', false],
    ['2008-06-15', '2026-06-15', true],
    ['2008-06-15', '2026-06-16', true],
    ['2008-12-31', '2026-12-30', false],
    ['2008-01-01', '2025-12-31', false],
    ['2008-01-01', '2026-01-01', true],
    ['2008-02-29', '2026-02-28', false],
    ['2008-02-29', '2026-03-01', true],
    ['2004-02-29', '2022-03-01', true],
    ['1905-11-21', '2026-11-20', true],
    ['1910-01-01', '2026-11-20', true],
    ['2026-11-20', '2026-11-20', false],
  ]
  for (const [dateOfBirth, day, expected] of boundaries) {
    it(`treats someone born on ${dateOfBirth} as ${expected ? 'an adult' : 'a minor'} on ${day}`, () => {
      expect(isOver18(born(dateOfBirth), on(day))).to.equal(expected)
    })
  }

  it('uses the UTC day, to the millisecond', () => {
    expect(isOver18(born('2008-06-15'), on('2026-06-14', '23:59:59.999'))).to.equal(false)
    expect(isOver18(born('2008-06-15'), on('2026-06-15', '00:00:00.000'))).to.equal(true)
  })

  const texts =
    `2001-02-30 2001-02-29 1900-02-29 2001-13-01 2001-00-10 2001-04-31 0001-01-01 1870-01-01 2026-11-21
    1900-01-01 1899-12-30 1904-01-01 1905-11-20 1896-12-01 2990-01-01 1990 1990-2-3 1990-02-03T00:00:00Z 03.02.1990 -1990-02-03 yes`.split(
      /\s+/,
    )
  const others = [' ', ' 1990-02-03', '1990-02-03\n', 0, 1990, 19900203, true, false, {}, [], ['1990-02-03']]
  for (const dateOfBirth of [...texts, ...others]) {
    it(`returns null for the date of birth ${JSON.stringify(dateOfBirth)}, whatever the estimate`, () => {
      expect(isOver18(born(dateOfBirth), on('2026-11-20'))).to.equal(null)
      expect(isOver18(born(dateOfBirth, 40), on('2026-11-20'))).to.equal(null)
    })
  }

  it('returns null without any evidence', () => {
    for (const absent of [null, undefined, '']) {
      expect(isOver18({ ...born(absent, absent), yearOfBirth: absent }, on('2026-11-20'))).to.equal(null)
    }
  })

  it('counts a year of birth alone as its last day, whatever the estimate', () => {
    const years: [unknown, boolean | null][] = [
      ['1977', true],
      [1977, true],
      ['2007', true],
      ['2008', false],
      [2012, false],
      ['2026', null],
      ['1904', null],
      ['1900', null],
      ['2533', null],
      ['77', null],
      ['1977?', null],
      [' 1977', null],
      [19.77, null],
      [[1977], null],
      [{}, null],
      [false, null],
    ]
    for (const [year, expected] of years) {
      expect(isOver18(bornIn(year, 40), on('2026-11-20')), JSON.stringify(year)).to.equal(expected)
      expect(isOver18({ ...bornIn(year), dateOfBirth: '1990-XX-XX' }, on('2026-11-20'))).to.equal(null)
    }
  })

  it('returns null on an invalid day', () => {
    expect(isOver18(born('1990-02-03'), new Date(Number.NaN))).to.equal(null)
  })

  it('accepts an estimate from 25 years, and never denies by one', () => {
    const estimates: [unknown, boolean | null][] = [
      [25, true],
      [25.1, true],
      [120, true],
      [24.999, null],
      [18, null],
      [9, null],
      [0, null],
      [-30, null],
      [121, null],
      [Number.POSITIVE_INFINITY, null],
      [Number.NaN, null],
      ['32', null],
      [[32], null],
      [true, null],
    ]
    for (const [estimate, expected] of estimates) {
      expect(isOver18(born(null, estimate), on('2026-11-20')), String(estimate)).to.equal(expected)
    }
  })

  it('accepts no estimate that another one, or something else, speaks against', () => {
    const estimated = (...estimatedAges: unknown[]) => ({ ...nothing, estimatedAges })
    const day = on('2026-11-20')
    expect(isOver18(estimated(30, null, 40), day)).to.equal(true)
    for (const other of [16, 24, '30', {}, [30], false])
      expect(isOver18(estimated(30, other), day)).to.equal(null)
    expect(isOver18({ ...estimated(30), births: ['1990-01-01'] }, day)).to.equal(null)
    for (const reasonCode of [530, '533', ' 533 ', 'under 18', [533], {}, true, ' '])
      expect(isOver18({ ...estimated(30), reasonCode }, day), String(reasonCode)).to.equal(null)
    for (const reasonCode of [201, '539', 529, 534, undefined, ''])
      expect(isOver18({ ...estimated(30), reasonCode }, day), String(reasonCode)).to.equal(true)
  })

  it('says what a verdict rests on', () => {
    const day = on('2026-11-20')
    expect(judgeAge(born('1990-01-01', 30), day)).to.deep.equal({ over18: true, basis: 'date' })
    expect(judgeAge(bornIn(2012), day)).to.deep.equal({ over18: false, basis: 'year' })
    expect(judgeAge(born(null, 30), day)).to.deep.equal({ over18: true, basis: 'estimate' })
    expect(judgeAge(born('1990', 30), day)).to.deep.equal({ over18: null, basis: 'none' })
  })

  it('makes the age unknown that a date or a year anywhere, or the reason, contradicts', () => {
    const day = on('2026-11-20')
    const contradictory = { over18: null, basis: 'contradiction' }
    const adult = { ...born('2008-06-15'), yearOfBirth: '2008' }
    for (const births of [['2008-06-15', '2008'], [2008], ['1990-01-01', '1990']])
      expect(judgeAge({ ...adult, births }, day), String(births)).to.deep.equal({
        over18: true,
        basis: 'date',
      })
    for (const birth of ['2012-01-01', '2012', 2012, '2009', '1890-01-01', 'N/A', {}, ['1990-01-01'], 0])
      expect(judgeAge({ ...adult, births: ['2008-06-15', birth] }, day)).to.deep.equal(contradictory)
    for (const reasonCode of [530, '533', 531])
      expect(judgeAge({ ...adult, reasonCode }, day)).to.deep.equal(contradictory)
    for (const reasonCode of ['under 18', 529, 534, null])
      expect(judgeAge({ ...adult, reasonCode }, day).over18, String(reasonCode)).to.equal(true)
    const minor = { ...born('2012-01-01'), reasonCode: 533 }
    expect(judgeAge({ ...minor, births: ['2012-01-01', 'N/A'] }, day).over18).to.equal(false)
    expect(judgeAge({ ...minor, births: ['2012-01-01', 1990] }, day)).to.deep.equal(contradictory)
    expect(judgeAge({ ...bornIn(1990), births: [1990, 2012] }, day)).to.deep.equal(contradictory)
  })

  it('prefers a date of birth to an estimate, both ways', () => {
    expect(isOver18(born('2010-01-01', 40), on('2026-11-20'))).to.equal(false)
    expect(isOver18(born('1990-01-01', 12), on('2026-11-20'))).to.equal(true)
  })

  it('adds exactly one year on each birthday, and none on the day before', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 120 }), (birth, years) => {
        const birthday = new Date(birth)
        birthday.setUTCFullYear(birth.getUTCFullYear() + years) // 29 February becomes 1 March
        birthday.setUTCHours(0, 0, 0, 0)
        const dateOfBirth = dayOf(birth)
        expect(ageInYears(dateOfBirth, birthday)).to.equal(years)
        expect(ageInYears(dateOfBirth, new Date(birthday.getTime() - 1))).to.equal(years - 1)
      }),
    )
  })

  it('confirms no one whose date of birth is less than 18 years ago, whatever the estimate', () => {
    const youngMs = fc.integer({ min: 0, max: 18 * 365 * 24 * 3600 * 1000 })
    fc.assert(
      fc.property(days, youngMs, fc.anything(), (day, ms, estimate) => {
        expect(isOver18(born(dayOf(new Date(day.getTime() - ms)), estimate), day)).to.equal(false)
      }),
    )
  })

  it('never throws, whatever the evidence', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.date(), (dateOfBirth, estimatedAge, day) => {
        for (const evidence of [born(dateOfBirth, estimatedAge), bornIn(dateOfBirth, estimatedAge)]) {
          expect(isOver18(evidence, day)).to.be.oneOf([true, false, null])
        }
      }),
    )
  })
})
