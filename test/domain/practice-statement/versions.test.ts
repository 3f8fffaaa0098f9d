import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { recordStatement } from '#domain/practice-statement/record-statement.ts'
import { statementsInForce } from '#domain/practice-statement/statements-in-force.ts'
import { useFixture } from '../verification/fixture.ts'

describe('The versions of the practice statement', () => {
  const fixture = useFixture()
  const january = new Date('2030-01-01T00:00:00Z')
  const day = (days: number) => new Date(january.getTime() + days * 86_400_000)
  const record = (text: string, now: Date) => recordStatement({ ...fixture.service(), now }, text)
  const inForce = async (from: Date, to: Date) =>
    (await statementsInForce(fixture.service(), from, to)).map(({ version }) => version)
  const stored = () =>
    fixture.rows<{ version: number; statement: string; sha256: string }>(
      'select version, statement, sha256 from practice_statement order by version',
    )
  beforeEach(() => fixture.rows('delete from practice_statement'))

  it('begin with one, however many processes start at the same time, and stay one while nothing changes', async () => {
    await Promise.all(Array.from({ length: 8 }, () => record('a', january)))
    await record('a', day(1))
    const sha256 = createHash('sha256').update('a').digest('hex')
    expect(await stored()).to.deep.equal([{ version: 1, statement: 'a', sha256 }])
  })

  it('are never twice the same in a row, also where processes with different ones alternate', async () => {
    await Promise.all(Array.from({ length: 24 }, (_, at) => record('abc'[at % 3]!, january)))
    const texts = (await stored()).map(({ statement }) => statement)
    expect(new Set(texts)).to.deep.equal(new Set('abc'))
    expect(texts.length).to.be.at.most(24)
    expect(texts.filter((text, at) => text === texts[at - 1])).to.deep.equal([])
    expect((await stored()).map(({ version }) => version)).to.deep.equal(texts.map((_, at) => at + 1))
  })

  it('are in force one after the other, from their date until that of the next one', async () => {
    for (const [at, text] of ['a', 'b', 'c'].entries()) await record(text, day(at * 10))
    expect(await inForce(day(-5), january)).to.deep.equal([])
    expect(await inForce(day(-5), day(1))).to.deep.equal([1])
    expect(await inForce(day(3), day(10))).to.deep.equal([1])
    expect(await inForce(day(3), day(11))).to.deep.equal([1, 2])
    expect(await inForce(day(10), day(15))).to.deep.equal([2])
    expect(await inForce(day(5), day(25))).to.deep.equal([1, 2, 3])
    expect(await inForce(day(400), day(431))).to.deep.equal([3])
    const [second] = await statementsInForce(fixture.service(), day(12), day(13))
    const sha256 = createHash('sha256').update('b').digest('hex')
    expect(second).to.deep.equal({ version: 2, sha256, since: day(10) })
  })
})
