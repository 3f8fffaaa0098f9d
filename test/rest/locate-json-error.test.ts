import { expect } from 'chai'
import fc from 'fast-check'
import { locateJsonError } from '#rest/locate-json-error.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const pieces = '{|}|[|]|,|:|"a"|"|\\|\\u00e9|0|01|-1.5e+3|1.|true|TRUE|null|nul| |\n|\t|\f|\u00a0|\ufeff'
const piece = fc.constantFrom(...pieces.split('|'), "'", 'é', '\u0001', '"\\ud800"', '"\u2028"')
const nearJson = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''))
/** JSON in which one character is replaced, so that most of it is valid. */
const damagedJson = fc
  .tuple(fc.json({ maxDepth: 3 }), fc.nat(), piece)
  .map(([json, at, by]) => json.slice(0, at % json.length) + by + json.slice((at % json.length) + 1))

describe('The position of what is not JSON', () => {
  it('is found in exactly the texts that are not JSON', () => {
    fc.assert(
      fc.property(fc.oneof(nearJson, damagedJson, fc.json(), fc.string()), text => {
        expect(locateJsonError(text) === undefined, text).to.equal(isJson(text))
      }),
      { numRuns: 3_000 },
    )
  })

  it('is within the text, or just behind it', () => {
    fc.assert(
      fc.property(fc.oneof(nearJson, damagedJson), text => {
        const located = locateJsonError(text)
        if (!located) return
        const lines = text.split('\n')
        expect(located.line).to.be.within(1, lines.length)
        expect(located.column).to.be.within(1, lines[located.line - 1]!.length + 1)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is found behind a long string', () => {
    expect(locateJsonError(`["${'x'.repeat(1_000_000)}"}`)).to.include({ column: 1_000_004 })
  })
})
