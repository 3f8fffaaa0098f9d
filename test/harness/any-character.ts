import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const codePointMax = 0x10ffff

/**
 * Any Unicode character: what `unit: 'binary'` generates. Building the table that fast-check translates it back with takes
 * a second of CPU time in each process; arithmetic takes none.
 */
export const anyCharacter = fc
  .nat(codePointMax - surrogates.count)
  .map(toCharacter, character => toIndex(character))

function toCharacter(index: number): string {
  return String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count)
}

function toIndex(character: unknown): number {
  const codePoint = typeof character === 'string' ? character.codePointAt(0) : undefined
  if (codePoint === undefined || String.fromCodePoint(codePoint) !== character || isSurrogate(codePoint)) {
    throw new TypeError('Not one character')
  }
  return codePoint < surrogates.first ? codePoint : codePoint - surrogates.count
}

function isSurrogate(codePoint: number): boolean {
  return codePoint >= surrogates.first && codePoint < surrogates.first + surrogates.count
}
