import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const codePointMax = 0x10ffff

/**
 * Any Unicode character: what `unit: 'binary'` generates. Building the table that fast-check translates it back with takes
 * a second of CPU time in each process; arithmetic takes none.
 */
export const anyCharacter = fc
  .nat(codePointMax - surrogates.count)
  .map(index => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count))
