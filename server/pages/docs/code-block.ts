import { bash, http, js, json, py, ts } from '@speed-highlight/core/languages'
import { type ShjLanguageData, tokenizeWith } from '@speed-highlight/core/tokenize'
import { type Html, html } from '../html/html.ts'

const captions: Record<string, string> = {
  sh: 'Shell',
  console: 'Terminal',
  text: 'Output',
  json: 'JSON',
  markdown: 'Markdown',
  http: 'HTTP',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
}
const languages = { sh: bash, http, js, json, python: py, ts } as Record<string, ShjLanguageData>

/**
 * Code with a caption, and a class for each kind of token. The word after the language names the file of a sample; `run`
 * only marks what is tested. Long lines scroll, so the block can have the keyboard's focus.
 */
export function codeBlock(info: string, code: string): Html {
  const [language = '', name = ''] = info.split(' ')
  const caption = name.includes('.') ? name : (captions[language] ?? 'Code')
  const parts: Html[] = []
  const add = (text: string, kind?: string) =>
    parts.push(kind ? html`<span class="${kind}">${text}</span>` : html`${text}`)
  tokenizeWith(code, language, add, { languages })
  return html`<figure>
<figcaption>${caption}</figcaption>
<pre tabindex="0" role="group" aria-label="${caption}"><code>${parts}</code></pre>
</figure>
`
}
