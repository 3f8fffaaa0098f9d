export interface JsonError {
  /** From 1. */
  line: number
  /** From 1, in UTF-16 code units. */
  column: number
  /** What is wrong there, such as `unexpected ","`. */
  problem: string
}

/** Where a text stops being JSON; undefined for a text that is JSON. */
export function locateJsonError(text: string): JsonError | undefined {
  const at = firstInvalidOffset(text)
  if (at === undefined) return undefined
  const before = text.slice(0, at)
  return {
    line: before.split('\n').length,
    column: at - before.lastIndexOf('\n'),
    problem: problemAt(text, at),
  }
}

function firstInvalidOffset(text: string): number | undefined {
  const closings: string[] = []
  let expected = value
  for (let at = 0; at < text.length; ) {
    const first = text[at]!
    if (blanks.has(first)) {
      at++
      continue
    }
    const end = punctuation.has(first) ? at + 1 : endOfScalar(text, at)
    const kind = punctuation.has(first) || first === '"' ? first : scalarKind
    if (end === at || !expected.includes(kind)) return at
    expected = follow(kind, expected, closings)
    at = end
  }
  return expected === '' ? undefined : text.length
}

const blanks = new Set(' \t\n\r')
const punctuation = new Set('{}[]:,')
/** RFC 8259, sections 3, 6 and 7. */
const scalar =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y

/** The offset behind the string, number or literal that starts there; the same offset if none does. */
function endOfScalar(text: string, at: number): number {
  scalar.lastIndex = at
  return scalar.test(text) ? scalar.lastIndex : at
}

/** A number or a literal. The other kinds of tokens are their first characters. */
const scalarKind = '0'
/** The kinds of tokens that begin a value. */
const value = `{["${scalarKind}`

/** The kinds of tokens that can come after one that was expected; none behind the whole value. */
function follow(kind: string, expected: string, closings: string[]): string {
  if (kind === '{') {
    closings.push('}')
    return '"}'
  }
  if (kind === '[') {
    closings.push(']')
    return `${value}]`
  }
  if (kind === ':') return value
  if (kind === ',') return closings.at(-1) === '}' ? '"' : value
  const isName = kind === '"' && !expected.includes('[')
  if (isName) return ':'
  if (kind === closings.at(-1)) closings.pop()
  const closing = closings.at(-1)
  return closing ? `,${closing}` : ''
}

function problemAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  if (code === undefined) return 'unexpected end'
  const character = String.fromCodePoint(code)
  if (character === '"' && endOfScalar(text, at) === at) return 'invalid or unterminated string'
  if (/[\x21-\x7e]/.test(character)) return `unexpected ${JSON.stringify(character)}`
  return `unexpected character U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
