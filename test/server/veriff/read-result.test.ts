import { expect } from 'chai'
import fc from 'fast-check'
import { timeOfId } from '#domain/ids.ts'
import type { ProviderResult } from '#domain/provider-result.ts'
import { readResult } from '#server/providers/veriff/read-result.ts'
import { approved, attemptId, decisionBody, fullAutoBody, sessionId, vendorData } from './payloads.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const created = timeOfId(vendorData)
const read = (body: unknown) => readResult(body, now)
const beforeCreation = (ms: number) => new Date(created.getTime() - ms).toISOString()

describe('The results of Veriff', () => {
  describe('events', () => {
    const event = { id: sessionId, attemptId, feature: 'selfid', action: 'x', vendorData, endUserId: null }
    const nothing = { reasonCode: null, score: null, decidedAt: null, over18: null, ageBasis: 'none' }

    it('reads that the flow was opened, and that everything was submitted', () => {
      const common = { providerSessionId: sessionId, vendorData, attemptId, ...nothing }
      expect(read({ ...event, code: 7001 })).to.deep.equal({ ...common, outcome: 'started', code: 7001 })
      expect(read({ ...event, code: 7002 })).to.deep.equal({ ...common, outcome: 'submitted', code: 7002 })
    })

    it('reads an event without attempt and vendor data', () => {
      const result = read({ id: sessionId, code: 7002 })
      expect(result).to.include({ outcome: 'submitted', attemptId: null, vendorData: null })
    })

    it('reads a code that is text', () => {
      expect(read({ ...event, code: '7001' })).to.include({ outcome: 'started', code: 7001 })
      expect(read({ ...event, code: '7002' })).to.include({ outcome: 'submitted', code: 7002 })
    })

    it('ignores other codes', () => {
      for (const code of [7003, 9001, 7001.5, '7003', '7001.5', '', null, undefined, [7001]]) {
        expect(read({ ...event, code }), String(code)).to.equal(undefined)
      }
    })
  })

  describe('decisions', () => {
    it('reads an approval with the age on the day of the decision', () => {
      expect(read(decisionBody())).to.deep.equal(approved)
    })

    const codes: [status: string, ...codes: number[]][] = [
      ['approved', 9001],
      ['declined', 9102],
      ['resubmission_requested', 9103],
      ['expired', 9104],
      ['abandoned', 9104, 9121],
      ['review', 9121],
    ]

    it('uses the status, unless its code is that of another one', () => {
      for (const [status, ...own] of codes) {
        for (const code of [9001, 9102, 9103, 9104, 9121]) {
          const expected = own.includes(code) ? status : undefined
          expect(read(decisionBody({ status, code }))?.outcome, `${status} ${code}`).to.equal(expected)
        }
        for (const code of [9000, 9999, null]) {
          expect(read(decisionBody({ status, code }))?.outcome, `${status} ${code}`).to.equal(status)
        }
      }
      expect(read(fullAutoBody({ decision: 'approved', code: 9102 }))).to.equal(undefined)
    })

    it('understands no body with two results, and none of another check', () => {
      const { data } = fullAutoBody({ decision: 'declined' }) as { data: object }
      const bodies = ['approved', 'created'].map(status => ({
        ...(decisionBody({ status }) as object),
        data,
      }))
      expect(bodies.map(read)).to.deep.equal([undefined, undefined])
      expect(read({ ...(decisionBody() as object), id: sessionId, code: 7002 })).to.equal(undefined)
      for (const eventType of ['proof_of_address', 'proof-of-address', 'watchlist', 'user-status.x', 5, {}]) {
        const label = String(eventType)
        expect(read(fullAutoBody({}, { eventType })), label).to.equal(undefined)
        expect(read({ ...(decisionBody() as object), eventType }), label).to.equal(undefined)
        expect(read({ id: sessionId, code: 7002, feature: eventType }), label).to.equal(undefined)
      }
      for (const eventType of ['fullauto', 'full_auto', 'decision', null, undefined, '']) {
        expect(read(fullAutoBody({}, { eventType }))?.outcome, String(eventType)).to.equal('approved')
      }
    })

    it('ignores other statuses', () => {
      for (const status of ['created', 'started', 'APPROVED', '', null, 9001, ['approved']]) {
        expect(read(decisionBody({ status })), JSON.stringify(status)).to.equal(undefined)
      }
    })

    it('computes the age on the day of the decision, not today', () => {
      const person = { dateOfBirth: '2008-06-15' }
      expect(read(decisionBody({ person, decisionTime: '2026-06-14T23:59:59.999999Z' }))?.over18).to.equal(
        false,
      )
      expect(read(decisionBody({ person, decisionTime: '2026-06-15T00:00:00.000Z' }))?.over18).to.equal(true)
      expect(read(decisionBody({ person, decisionTime: null }))?.over18).to.equal(true)
      const unborn = { dateOfBirth: '2026-06-15' }
      expect(read(decisionBody({ person: unborn, decisionTime: '2026-06-14T10:00:00Z' }))?.over18).to.equal(
        null,
      )
    })

    it('returns an unknown age without a plausible date of birth, even if approved', () => {
      const people = [null, undefined, [], 'Anna', {}, { dateOfBirth: '2001-02-30' }]
      for (const person of [...people, { dateOfBirth: 19900203 }, { dateOfBirth: { value: null } }]) {
        expect(read(decisionBody({ person })), JSON.stringify(person)).to.deep.equal({
          ...approved,
          over18: null,
          ageBasis: 'none',
        })
      }
    })

    it('lets no estimate count beside a date of birth, in any shape and place', () => {
      const texts = [
        'null',
        'N/A',
        ' ',
        '2012',
        0,
        false,
        {},
        [],
        ['1990-02-03'],
        { day: 1, month: 1, year: 1990 },
      ]
      const wrapped = [{ text: '1990-02-03' }, { value: { value: '1990-02-03' } }, { value: [] }]
      const unknown: [person: unknown, fields?: Record<string, unknown>][] = [
        ...[...texts, ...wrapped].map((dateOfBirth): [unknown] => [{ dateOfBirth }]),
        ...['12', 12, {}, { value: 'x' }].map((yearOfBirth): [unknown] => [{ yearOfBirth }]),
        [{ date_of_birth: '1990-02-03' }],
        [{ dob: { day: 1, month: 1, year: 2012 } }],
        [{ birthDate: '2012-01-01' }],
        [{ value: { dateOfBirth: '2012-01-01' } }],
        [{ person: { dateOfBirth: { value: '2012-01-01' } } }],
        [[{ dateOfBirth: '2012-01-01' }]],
        [[]],
        ['1990-02-03'],
        [false],
        [null, { dateOfBirth: '2012-01-01' }],
        [{}, { document: { holder: [{ DateOfBirth: '2012-01-01' }] } }],
        [{ dateOfBirth: null }, { persons: [{ dateOfBirth: '2012-01-01' }] }],
      ]
      const minors: typeof unknown = [
        [{ dateOfBirth: '2012-01-01' }],
        [{ dateOfBirth: { value: '2012-01-01' } }],
        ...['2012', 2012, { value: '2012' }].map((yearOfBirth): [unknown] => [{ yearOfBirth }]),
      ]
      for (const [people, over18] of [
        [unknown, null],
        [minors, false],
      ] as const) {
        for (const [person, fields] of people) {
          const given = { person, additionalVerifiedData: { estimatedAge: 30 }, ...fields }
          for (const body of [decisionBody(given), fullAutoBody(given)]) {
            expect(read(body)?.over18, JSON.stringify([person, fields])).to.equal(over18)
          }
        }
      }
    })

    it('counts a year of birth alone as its last day', () => {
      for (const absent of [null, undefined, '', { value: null }, { value: '' }]) {
        const over18 = (yearOfBirth: unknown, estimatedAge: unknown = null) =>
          read(
            decisionBody({
              person: { dateOfBirth: absent, yearOfBirth },
              additionalVerifiedData: { estimatedAge },
            }),
          )?.over18
        for (const year of ['1977', 1977, { value: '1977' }]) expect(over18(year)).to.equal(true)
        expect(over18('2012', 30)).to.equal(false)
        expect(over18(absent, 30), JSON.stringify(absent)).to.equal(true)
      }
    })

    it('lets no estimate count that the reason for the decision may contradict', () => {
      const over18 = (reasonCode: unknown) =>
        read(decisionBody({ reasonCode, person: null, additionalVerifiedData: { estimatedAge: 30 } }))?.over18
      for (const code of [530, 531, 532, 533, '533', ' 533 ', { value: 533 }])
        expect(over18(code)).to.equal(null)
      for (const unknown of ['under 18', [533], {}, true, ' ']) expect(over18(unknown)).to.equal(null)
      for (const code of [null, undefined, '', 201, '539', { value: null }])
        expect(over18(code)).to.equal(true)
    })

    it('confirms only what a date or a year proves, or an estimate without either, whatever arrives', () => {
      const absent = fc.constantFrom(null, undefined, '')
      const day = fc
        .date({ min: new Date('1890-01-01'), max: now, noInvalidDate: true })
        .map(date => date.toISOString().slice(0, 10))
      const year = fc.integer({ min: 1890, max: 2030 }).map(String)
      const junk = fc.oneof(fc.jsonValue(), fc.anything())
      const wrapped = (one: fc.Arbitrary<unknown>) => fc.oneof(one, fc.record({ value: one }))
      const any = (known: fc.Arbitrary<unknown>) => wrapped(fc.oneof(absent, known, junk))
      const estimatedAge = any(fc.integer({ min: 0, max: 130 }))
      const person = fc.oneof(
        fc.record({ dateOfBirth: any(day), yearOfBirth: any(year), estimatedAge }),
        absent,
        junk,
      )
      const additional = fc.oneof(fc.record({ estimatedAge }), absent, junk)
      fc.assert(
        fc.property(person, additional, fc.boolean(), (person, additionalVerifiedData, isFullAuto) => {
          const fields = { person, additionalVerifiedData, decisionTime: null }
          const result = read(isFullAuto ? fullAutoBody(fields, { time: null }) : decisionBody(fields))
          if (result?.over18) expect(isProven(person, additionalVerifiedData)).to.equal(true)
        }),
        { numRuns: 500 },
      )
    })

    it('reads an estimated age, plain or wrapped', () => {
      const over18 = (estimatedAge: unknown, dateOfBirth: unknown = null) =>
        read(decisionBody({ person: { dateOfBirth }, additionalVerifiedData: { estimatedAge } }))?.over18
      expect(over18(25)).to.equal(true)
      expect(over18({ value: 32 })).to.equal(true)
      expect(over18('32')).to.equal(null)
      expect(over18(40, '2015-01-01')).to.equal(false)
    })

    it('reads an estimated age of the person, as Full Auto has it, and of two the lower one', () => {
      const over18 = (ofPerson: unknown, additional: unknown = null) =>
        [decisionBody, fullAutoBody].map(body => {
          const person = { dateOfBirth: null, estimatedAge: ofPerson }
          return read(body({ person, additionalVerifiedData: { estimatedAge: additional } }))?.over18
        })
      expect(over18({ value: 30, confidenceCategory: 'high', sources: ['FACE'] })).to.deep.equal([true, true])
      expect(over18(30, 31)).to.deep.equal([true, true])
      for (const [one, other] of [
        [24, null],
        [30, 16],
        [16, 30],
        [{}, 30],
        ['30', null],
      ] as const) {
        expect(over18(one, other), JSON.stringify([one, other])).to.deep.equal([null, null])
      }
    })

    it('reads reason codes that are numbers or strings, and ignores other values', () => {
      const reasonCodes: [unknown, string | null][] = [
        [106, '106'],
        ['533', '533'],
        [null, null],
        ['Anna Example', null],
        ['a\u0000b', null],
        ['1'.repeat(100), '1'.repeat(100)],
        ['1'.repeat(101), null],
        [[106], null],
      ]
      for (const [sent, expected] of reasonCodes) {
        const result = read(decisionBody({ status: 'declined', code: 9102, reasonCode: sent }))
        expect(result?.reasonCode, JSON.stringify(sent)).to.equal(expected)
      }
    })

    it('reads a score from 0 to 1, also as text or wrapped, and another one as 0', () => {
      const notUnderstood = [
        12,
        97,
        1.01,
        -0.5,
        1e300,
        JSON.parse('1e999'),
        '12',
        '0,9',
        '90%',
        ' ',
        true,
        [0.9],
        {},
      ]
      const scores: [unknown, number | null][] = [
        [0.97, 0.97],
        [0, 0],
        [1, 1],
        ['0.12', 0.12],
        [' 1 ', 1],
        [{ value: 0.12 }, 0.12],
        [{ value: '0.12', sources: [] }, 0.12],
        [undefined, null],
        [null, null],
        ['', null],
        [{ value: null }, null],
        ...notUnderstood.map((score): [unknown, number] => [score, 0]),
      ]
      for (const [decisionScore, expected] of scores) {
        expect(read(decisionBody({ decisionScore }))?.score, String(decisionScore)).to.equal(expected)
      }
    })

    it('reads decision times with 0 to 6 fractional digits, and ignores other values', () => {
      const times: [unknown, string | null][] = [
        ['2026-03-01T10:03:12Z', '2026-03-01T10:03:12.000Z'],
        ['2026-03-01T10:03:12.123456Z', '2026-03-01T10:03:12.123Z'],
        ['2026-03-01T12:03:12.5+02:00', '2026-03-01T10:03:12.500Z'],
        ['2026-11-20T12:00:09Z', '2026-11-20T12:00:09.000Z'],
        ['2026-11-20T21:00:00Z', '2026-11-20T21:00:00.000Z'],
        ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
        ['0001-01-01T00:00:00Z', null],
        ['9999-12-31T23:59:59+00:00', null],
        ['0000-01-01T00:00:00+05:00', null],
        ['2026-02-30T10:00:00Z', null],
        ['2026-03-01T10:03:12', null],
        ['2026-03-01', null],
        ['', null],
        [1772359392123, null],
      ]
      for (const [decisionTime, expected] of times) {
        const decidedAt = read(decisionBody({ decisionTime }))?.decidedAt
        expect(decidedAt?.toISOString() ?? null, JSON.stringify(decisionTime)).to.equal(expected)
      }
    })

    it('says which times are before the verification or in the future, by more than 10 s', () => {
      const around = [
        '2026-11-20T12:00:09Z',
        '2026-11-20T12:00:11Z',
        beforeCreation(9_000),
        beforeCreation(11_000),
      ]
      const found = [...around, null].map(decisionTime => read(decisionBody({ decisionTime }))?.hasWrongTime)
      expect(found).to.deep.equal([false, true, false, true, false])
    })

    it('computes the age on no day after today, and on none before the verification was created', () => {
      const ahead = [
        '2026-11-20T12:00:05Z',
        '2026-11-20T21:00:00Z',
        '2026-11-21T11:00:00Z',
        '2040-01-01T00:00:00Z',
      ]
      for (const decisionTime of ahead) {
        const person = { dateOfBirth: '2008-11-21' }
        expect(read(decisionBody({ person, decisionTime }))?.over18, decisionTime).to.equal(false)
      }
      const behind = [
        '0001-01-01T00:00:00Z',
        '1970-01-01T00:00:00Z',
        '2024-11-20T12:00:00Z',
        beforeCreation(1),
      ]
      for (const decisionTime of behind) {
        for (const dateOfBirth of ['1990-02-03', '2007-12-01', '2008-11-20']) {
          const result = read(decisionBody({ person: { dateOfBirth }, decisionTime }))
          expect(result?.over18, `${dateOfBirth} ${decisionTime}`).to.equal(true)
        }
      }
    })

    it('ignores invalid codes and attempt ids', () => {
      expect(read(decisionBody({ code: '9001' }))?.code).to.equal(9001)
      for (const invalid of [null, undefined, '', '9001.0', 9001.5, -1, 1e9]) {
        expect(read(decisionBody({ code: invalid }))?.code).to.equal(null)
      }
      for (const invalid of [null, undefined, '', 5, 'a b', 'x'.repeat(201)]) {
        expect(read(decisionBody({ attemptId: invalid }))?.attemptId).to.equal(null)
      }
    })

    it('reads ids in lower case, because a UUID has none', () => {
      const shouted = { id: sessionId.toUpperCase(), attemptId: attemptId.toUpperCase() }
      expect(read(decisionBody({ ...shouted, vendorData: vendorData.toUpperCase() }))).to.deep.equal(approved)
      const envelope = { sessionId: shouted.id, attemptId: shouted.attemptId }
      const ids = { providerSessionId: sessionId, attemptId }
      expect(read(fullAutoBody({ id: sessionId }, envelope))).to.include(ids)
      expect(read({ ...shouted, code: 7001 })).to.include(ids)
    })

    it('reads null, empty and absent vendor data as null', () => {
      for (const absent of [null, undefined, '']) {
        expect(read(decisionBody({ vendorData: absent }))?.vendorData).to.equal(null)
      }
    })

    it('ignores a decision with an invalid session id or invalid vendor data', () => {
      const invalid = [5, {}, 'a b', 'x'.repeat(201), 'a\u0000', 'ä', '\ud800']
      for (const id of [...invalid, null, undefined, '']) {
        expect(read(decisionBody({ id })), JSON.stringify(id)).to.equal(undefined)
      }
      for (const vendorData of invalid) {
        expect(read(decisionBody({ vendorData })), JSON.stringify(vendorData)).to.equal(undefined)
      }
    })
  })

  describe('Full Auto', () => {
    const expected: ProviderResult = { ...approved, code: null, score: 0.93 }

    it('reads the outcome, the score and the wrapped date of birth', () => {
      expect(read(fullAutoBody())).to.deep.equal(expected)
    })

    it('finds ids, vendor data and time on either level', () => {
      const inner = { id: sessionId, vendorData, attemptId, decisionTime: '2026-03-01T10:03:12.123456Z' }
      const outer = { sessionId: undefined, vendorData: null, attemptId: undefined, time: undefined }
      expect(read(fullAutoBody(inner, outer))).to.deep.equal(expected)
      expect(
        read(fullAutoBody({}, { time: undefined, decisionTime: '2026-03-01T10:03:12.123Z' })),
      ).to.deep.equal(expected)
    })

    it('ignores a payload whose levels have different ids or vendor data, or no id', () => {
      expect(read(fullAutoBody({ id: 'another' }))).to.equal(undefined)
      expect(read(fullAutoBody({ vendorData: 'another' }))).to.equal(undefined)
      expect(read(fullAutoBody({ vendorData: 5 }))).to.equal(undefined)
      expect(read(fullAutoBody({}, { sessionId: null }))).to.equal(undefined)
    })

    it('reads plain values too, and recognises minors', () => {
      expect(read(fullAutoBody({ person: { dateOfBirth: '1990-02-03' } }))?.over18).to.equal(true)
      expect(read(fullAutoBody({ person: { dateOfBirth: { value: '2010-02-03' } } }))?.over18).to.equal(false)
      expect(read(fullAutoBody({ person: { dateOfBirth: {} } }))?.over18).to.equal(null)
    })

    it('reads every decision, and ignores a user-defined status', () => {
      for (const decision of ['approved', 'declined', 'review', 'resubmission_requested']) {
        expect(read(fullAutoBody({ decision }))?.outcome).to.equal(decision)
      }
      const userDefinedData = { status: 'approved', statusCode: 1 }
      expect(read(fullAutoBody({ decision: undefined, userDefinedData }))).to.equal(undefined)
    })
  })

  describe('anything else', () => {
    it('is ignored without an error when its shape is unknown', () => {
      const deep = JSON.parse(`${'{"verification":['.repeat(20_000)}${']}'.repeat(20_000)}`)
      const nonsense = [null, undefined, 7001, '', [], [decisionBody()], {}, deep, { data: null }]
      const nearly = [
        { verification: null },
        { data: { verification: 1 } },
        { id: sessionId },
        { code: 7001 },
      ]
      for (const body of [...nonsense, ...nearly]) expect(read(body)).to.equal(undefined)
    })

    it('never throws, and never yields a result without a valid session id', () => {
      const part = fc.oneof(fc.jsonValue(), fc.anything())
      const names = ['id', 'sessionId', 'code', 'status', 'vendorData', 'verification', 'data']
      const keyed = fc.record(Object.fromEntries(names.map(name => [name, part])), { requiredKeys: [] })
      fc.assert(
        fc.property(fc.oneof(part, keyed), body => {
          const result = read(body)
          if (result !== undefined) expect(result.providerSessionId).to.match(/^[\x21-\x7e]{1,200}$/)
        }),
        { numRuns: 300 },
      )
    })

    it('never throws in any field of a decision', () => {
      const names = Object.keys((decisionBody() as { verification: object }).verification)
      const field = fc.constantFrom(...names, 'decisionScore', 'decision', '__proto__', 'constructor')
      fc.assert(
        fc.property(field, fc.oneof(fc.jsonValue(), fc.anything()), (name, value) => {
          for (const body of [decisionBody({ [name]: value }), fullAutoBody({ [name]: value })]) {
            const result = read(body)
            if (result !== undefined) expect(result.over18).to.be.oneOf([true, false, null])
          }
        }),
        { numRuns: 300 },
      )
    })
  })

  it('returns no name, date of birth, document number or address', () => {
    const text = fc.string({ minLength: 3 }).map(name => `secret${name}`)
    const day = fc
      .date({ min: new Date('1930-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
      .map(date => date.toISOString().slice(0, 10))
      .filter(date => date !== '2026-03-01')
    fc.assert(
      fc.property(text, text, day, fc.boolean(), (name, number, dateOfBirth, isWrapped) => {
        const wrap = (value: unknown) => (isWrapped ? { value, sources: [value] } : value)
        const fields = {
          reason: name,
          comments: [name],
          person: {
            firstName: wrap(name),
            lastName: wrap(name),
            dateOfBirth: wrap(dateOfBirth),
            addresses: [{ fullAddress: name }],
          },
          document: { number: wrap(number), validUntil: dateOfBirth },
          technicalData: { ip: number },
        }
        for (const body of [decisionBody(fields), fullAutoBody(fields)]) {
          const result = read(body)
          expect(Object.keys(result ?? {})).to.have.members(Object.keys(approved))
          const shown = JSON.stringify(result)
          for (const secret of ['secret', dateOfBirth]) expect(shown).not.to.include(secret)
        }
      }),
    )
  })
})

/** By the text of the promise alone, without anything that reads the evidence. */
function isProven(person: unknown, additional: unknown): boolean {
  const field = (object: unknown, name: string): unknown => {
    const value = isObject(object) ? object[name] : undefined
    return isObject(value) && 'value' in value ? value.value : value
  }
  const isAbsent = (value: unknown) => value === null || value === undefined || value === ''
  const isAdult = (day: string) =>
    /^\d{4}-\d{2}-\d{2}$/.test(day) && day >= '1905-11-21' && day <= '2008-11-20'
  if (!isObject(person) && !isAbsent(person)) return false
  const [born, year] = [field(person, 'dateOfBirth'), field(person, 'yearOfBirth')]
  if (!isAbsent(born)) {
    const agrees = isAbsent(year) || isAdult(`${year}-12-31`) || String(born).startsWith(`${year}-`)
    return isAdult(String(born)) && agrees
  }
  if (!isAbsent(year)) return isAdult(`${year}-12-31`)
  const estimates = [field(person, 'estimatedAge'), field(additional, 'estimatedAge')].filter(
    one => !isAbsent(one),
  )
  return estimates.length > 0 && estimates.every(one => typeof one === 'number' && one >= 25 && one <= 120)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
