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
  let expected: Expected | undefined = 'value'
  for (let at = 0; at < text.length; ) {
    const first = text[at]!
    if (blanks.has(first)) {
      at++
      continue
    }
    const end = punctuation.has(first) ? at + 1 : endOfScalar(text, at)
    expected = end > at ? follow(expected, first, closings) : undefined
    if (!expected) return at
    at = end
  }
  return expected === 'separator' && closings.length === 0 ? undefined : text.length
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

/** What can come next: the first value or name also means the end of its array or object. */
type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'separator'

/** What can come after a token, given by its first character; undefined if the token itself can't come. */
function follow(expected: Expected, first: string, closings: string[]): Expected | undefined {
  if (expected === 'colon') return first === ':' ? 'value' : undefined
  if (expected === 'name') return first === '"' ? 'colon' : undefined
  const closing = closings.at(-1)
  if (first === closing && expected !== 'value') {
    closings.pop()
    return 'separator'
  }
  if (expected === 'first name') return first === '"' ? 'colon' : undefined
  if (expected === 'separator') {
    if (first !== ',' || !closing) return undefined
    return closing === '}' ? 'name' : 'value'
  }
  if (first === '{') {
    closings.push('}')
    return 'first name'
  }
  if (first === '[') {
    closings.push(']')
    return 'first value'
  }
  return punctuation.has(first) ? undefined : 'separator'
}

function problemAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  if (code === undefined) return 'unexpected end'
  const character = String.fromCodePoint(code)
  if (character === '"' && endOfScalar(text, at) === at) return 'invalid or unterminated string'
  if (/[\x21-\x7e]/.test(character)) return `unexpected ${JSON.stringify(character)}`
  return `unexpected character U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
