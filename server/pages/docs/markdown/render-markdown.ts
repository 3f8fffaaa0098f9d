import { lexer, type Token, type Tokens } from 'marked'
import { type Html, html } from '../../html/html.ts'
import { codeBlock } from '../prose.ts'
import { table } from '../table.ts'
import { anchorOf, type Heading } from './heading.ts'
import type { LinkBase } from './links.ts'
import { renderInline } from './render-inline.ts'

export interface Rendered {
  headings: Heading[]
  content: Html
}

/**
 * Renders a document with this project's own elements: every value is escaped, tables become cards on narrow screens, and
 * code blocks can have the keyboard's focus. Throws for markup that the documents do not use, such as HTML.
 */
export function renderMarkdown(text: string, base: LinkBase): Rendered {
  const tokens: Token[] = lexer(text.replace(noteMarker, ''))
  const headings = tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth > 1)
    .map(({ text, depth }) => ({ id: anchorOf(text), title: breakable(text), depth }))
  return { headings, content: renderBlocks(tokens, base) }
}

/** A long code in a heading can be broken after each word. */
function breakable(text: string): Html {
  const [first = '', ...words] = text.split('_')
  return html`${first}${words.map(word => html`_<wbr>${word}`)}`
}

function renderBlocks(tokens: Token[], base: LinkBase): Html {
  return html`${tokens.map(token => renderBlock(token as Tokens.Generic, base))}`
}

function renderBlock(token: Tokens.Generic, base: LinkBase): Html {
  switch (token.type) {
    case 'space':
      return html``
    case 'heading':
      return renderHeading(token as Tokens.Heading, base)
    case 'paragraph':
      return html`<p>${renderInline(token.tokens ?? [], base)}</p>\n`
    case 'text':
      return renderInline(token.tokens ?? [], base)
    case 'code':
      return renderCode(token as Tokens.Code)
    case 'list':
      return renderList(token as Tokens.List, base)
    case 'table':
      return renderTable(token as Tokens.Table, base)
    case 'blockquote':
      return renderNote(token as Tokens.Blockquote, base)
    default:
      return renderInline([token], base)
  }
}

function renderHeading({ depth, text, tokens }: Tokens.Heading, base: LinkBase): Html {
  const title = renderInline(tokens, base)
  if (depth === 1) return html`<h1>${title}</h1>\n`
  const id = anchorOf(text)
  return depth === 2 ? html`<h2 id="${id}">${title}</h2>\n` : html`<h3 id="${id}">${title}</h3>\n`
}

const languages: Record<string, string> = {
  sh: 'Shell',
  console: 'Terminal',
  text: 'Output',
  json: 'JSON',
  http: 'HTTP',
  js: 'JavaScript',
  python: 'Python',
}

/** The word after the language names the file of a sample; `run` only marks what is tested. */
function renderCode({ lang = '', text }: Tokens.Code): Html {
  const [language = '', name = ''] = lang.split(' ')
  const isFile = name.includes('.')
  return html`${codeBlock(isFile ? name : (languages[language] ?? 'Code'), text)}\n`
}

function renderList({ ordered, items }: Tokens.List, base: LinkBase): Html {
  const content = items.map(({ task, tokens }) =>
    task
      ? html`<li class="task">${renderBlocks(tokens, base)}</li>\n`
      : html`<li>${renderBlocks(tokens, base)}</li>\n`,
  )
  return ordered ? html`<ol>\n${content}</ol>\n` : html`<ul>\n${content}</ul>\n`
}

function renderTable({ header, rows }: Tokens.Table, base: LinkBase): Html {
  const heads = header.map(({ tokens }) => renderInline(tokens, base))
  return table(
    undefined,
    heads,
    rows.map(row => row.map(({ tokens }) => renderInline(tokens, base))),
  )
}

/** Git hosts give a quotation that begins with this a heading and a colour. */
const noteMarker = /^> \[!IMPORTANT\]\n/gm

function renderNote({ tokens }: Tokens.Blockquote, base: LinkBase): Html {
  return html`<aside class="note">${renderBlocks(tokens, base)}</aside>\n`
}
