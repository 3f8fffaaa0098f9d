import { Marked, type RendererObject } from 'marked'
import { Html, html } from '../html/html.ts'
import { codeBlock } from './code-block.ts'

/** A heading and what follows it. */
export interface Section {
  /** The anchor; empty for the beginning of the page. */
  id: string
  title: string
  /** Of the heading: 1 for the beginning of the page. */
  depth: number
  /** What is searched: prose, and code, which counts for less. */
  text: string
  code: string
}

export interface Rendered {
  /** One at least. */
  sections: Section[]
  content: Html
}

/** Returns undefined for a file that is only named. */
type LinkUrl = (href: string) => string | undefined

/** Renders a document that begins with its title. Every value is escaped, and a document that contains HTML is an error. */
export function renderMarkdown(text: string, linkUrl: LinkUrl): Rendered {
  const sections: Section[] = []
  const marked = new Marked({ renderer: rendererOf(linkUrl, sections) })
  const content = marked.lexer(text.replace(noteMarker, '')).map(token => {
    const markup = marked.parser([token])
    const section = sections.at(-1)!
    if (token.type === 'code') section.code += `${token.text}\n`
    else if (token.type !== 'heading') section.text += token.raw.replace(syntax, '$1')
    return new Html(markup)
  })
  return { sections, content: html`${content}` }
}

/** Git hosts give a quotation that begins with this a heading and a colour. */
const noteMarker = /^> \[!IMPORTANT\]\n/gm

/** The targets of links, the rules of tables and the marks around words, which are not searched for. */
const syntax = /\[([^\]]*)\]\([^)]*\)|^(?:- \[ \]|[->]) |\|(?:[- ]+\|)*|\*+|`/gm

/** The anchor of a heading, as Git hosts make it, so that a link works in both places. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** A heading that repeats another one of the page is numbered, as by Git hosts. */
function nextAnchor(anchor: string, sections: readonly Section[]): string {
  const ids = new Set(sections.map(({ id }) => id))
  let number = 0
  while (ids.has(number === 0 ? anchor : `${anchor}-${number}`)) number++
  return number === 0 ? anchor : `${anchor}-${number}`
}

function rendererOf(linkUrl: LinkUrl, sections: Section[]): RendererObject {
  return {
    html({ text }) {
      throw new Error(`Documents cannot contain HTML: ${text}`)
    },
    /** One such as `## Title {#id}` has an anchor of its own. */
    heading({ text, tokens, depth }) {
      const [title = text, own] = text.split(/ \{#(\w+)\}$/)
      const id = own ?? nextAnchor(anchorOf(text), sections)
      if (depth <= 3)
        sections.push({
          id: depth === 1 ? '' : id,
          title: title.replace(/[*`]/g, ''),
          depth,
          text: '',
          code: '',
        })
      const content = this.parser.parseInline(tokens).replace(` {#${own}}`, '')
      return `<h${depth}${depth === 2 || depth === 3 ? ` id="${id}"` : ''}>${content}</h${depth}>\n`
    },
    code: ({ lang = '', text }) => codeBlock(lang, text).markup,
    blockquote({ tokens }) {
      return `<aside class="note">${this.parser.parse(tokens)}</aside>\n`
    },
    checkbox: () => '',
    listitem({ task, tokens }) {
      return `<li${task ? ' class="task"' : ''}>${this.parser.parse(tokens)}</li>\n`
    },
    /** The first cell of a row is its heading. */
    table({ rows }) {
      for (const [first] of rows) if (first) first.header = true
      return false
    },
    link({ href, tokens }) {
      const label = new Html(this.parser.parseInline(tokens))
      const url = linkUrl(href)
      if (url !== undefined) return html`<a href="${url}">${label}</a>`.markup
      const file = html`<code>${href.replace(/^(\.\.\/)+|#.*$/g, '')}</code>`
      return file.markup === `<code>${label.markup}</code>` ? file.markup : html`${label} (${file})`.markup
    },
    /** The address of a page, such as `/docs/downloads`, leads there. */
    codespan({ text }) {
      const code = html`<code>${text}</code>`
      const url = text.startsWith('/') ? linkUrl(text) : undefined
      return (url === undefined ? code : html`<a href="${url}">${code}</a>`).markup
    },
    /** Diagrams keep their width on narrow screens and scroll; screenshots shrink. */
    image({ href, text }) {
      const image = html`<img src="${linkUrl(href) ?? ''}" alt="${text.replaceAll('\n', ' ')}">`
      if (!href.endsWith('.svg')) return image.markup
      return html`<span class="diagram" tabindex="0" role="group" aria-label="Diagram">${image}</span>`.markup
    },
  }
}
