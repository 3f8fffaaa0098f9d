import { expect } from 'chai'
import fc from 'fast-check'
import { csvRecord } from '#console-api/exports/csv.ts'

describe('A text in a CSV file', () => {
  const texts: [string, string][] = [
    ['=1+1', `'=1+1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    [' =1+1', `' =1+1`],
    ['\t1', `'\t1`],
    ['x;=1+cmd|calc!A1', `x;'=1+cmd|calc!A1`],
    ['x;\u00a0@A1', `x;'\u00a0@A1`],
    ['x;"=1', `"x;'""=1"`],
    ['x;\t=1;+1', `x;\t'=1;'+1`],
    ['x\r\n=1', `"x\r\n'=1"`],
    ['＝1+1', `'＝1+1`],
    ['\u3000＝1', `'\u3000＝1`],
    ['x;＝1', `x;'＝1`],
  ]
  for (const [text, field] of texts)
    it(`has an apostrophe where a spreadsheet would execute ${JSON.stringify(text)}`, () => {
      expect(csvRecord(['id', text, 1])).to.equal(`id,${field},1\r\n`)
    })

  it('is as it was where nothing would be executed', () => {
    const json = `{"name":"=1"}`
    for (const text of ['', 'a=b', 'a-b; c', 'text/html; q=0.5', 'a;b\tc', 'a,=1', json, "'"])
      expect(readField(csvRecord(['id', text]))).to.equal(text)
  })

  it('begins no cell with a formula, whatever the separator, and is otherwise as it was', () => {
    const character = fc.constantFrom(...'=+-@＝＋－＠;,"\t\r\n x')
    const hostile = fc.string({ unit: character, maxLength: 12 })
    const check = (text: string) => {
      const record = csvRecord(['id', text])
      // A reader with another separator than the comma takes no quote for one that opens a field.
      for (const cell of [...record.split(/[;\t\r\n]/), readField(record)])
        expect(cell).not.to.match(/^[ "]*[=+\-@＝＋－＠]/)
      expect(readField(record).replaceAll("'", '')).to.equal(text)
    }
    fc.assert(fc.property(hostile, check), { numRuns: 300 })
  })
})

/** The second field of a record, read as RFC 4180 says. */
function readField(record: string): string {
  const field = record.slice('id,'.length, -'\r\n'.length)
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field
}
