import { detectLanguage } from '@speed-highlight/core/detect'
import { bash, go, java, js, json, py, ts } from '@speed-highlight/core/languages'
import { type ShjLanguageData, tokenizeWith } from '@speed-highlight/core/tokenize'

export interface Token {
  text: string
  /** A variable of server/pages/html/tokens.css; undefined for that of the text. */
  color: string | undefined
}

/** The library's types of them don't fit its own parameter with `exactOptionalPropertyTypes`. */
const languages = { bash, go, java, js, json, py, ts } as Record<string, ShjLanguageData>

/** Those of the documentation (server/pages/docs/docs.css). */
const colors: Record<string, string> = {
  kwd: '--rejected-text',
  oper: '--rejected-text',
  str: '--approved-text',
  var: '--waiting-text',
  func: '--waiting-text',
  num: '--attention-text',
  bool: '--attention-text',
  type: '--attention-text',
  cmnt: '--text-dimmed',
}

/** Finds what the words of a program or of JSON are. The language is recognised by its words. */
export function highlight(code: string): Token[] {
  const tokens: Token[] = []
  const language = languages[code.startsWith('{') ? 'json' : detectLanguage(code)] ?? languages.bash!
  const add = (text: string, kind = '') =>
    tokens.push({ text, color: colors[kind] && `var(${colors[kind]})` })
  tokenizeWith(code, language, add, { languages })
  return tokens
}
