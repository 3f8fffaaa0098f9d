import { expect } from 'chai'
import { parseTraceparent } from '#server/http/traceparent.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

describe('A traceparent', () => {
  it('is parsed as W3C Trace Context says, also one of a later version', () => {
    const expected = { traceId, spanId, flags: 1 }
    expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).to.deep.equal(expected)
    expect(parseTraceparent(`00-${traceId}-${spanId}-00`)).to.deep.equal({ ...expected, flags: 0 })
    expect(parseTraceparent(`cc-${traceId}-${spanId}-01-what-the-future-will-be`)).to.deep.equal(expected)
  })

  it('that is malformed is ignored', () => {
    const malformed = [
      undefined,
      '',
      [`00-${traceId}-${spanId}-01`],
      `00-${traceId}-${spanId}-1`,
      `00-${traceId}-${spanId}-01-more`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `ff-${traceId}-${spanId}-01`,
      `cc-${traceId}-${spanId}-01.more`,
      `cc-${traceId}-${spanId}-01-${'x'.repeat(300)}`,
    ]
    for (const header of malformed) expect(parseTraceparent(header), `${header}`).to.equal(undefined)
  })
})
