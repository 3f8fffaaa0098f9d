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
  /** To search in. */
  text: string
}

export interface Rendered {
  /** One at least. */
  sections: Section[]
  content: Html
}

/**
 * Renders a document that begins with its title. Every value is escaped, and a document that contains HTML is an error.
 * `linkUrl` returns undefined for a file that is only named.
 */
export function renderMarkdown(text: string, linkUrl: (href: string) => string | undefined): Rendered {
  const sections: Section[] = []
  const renderer: RendererObject = {
    html({ text }) {
      throw new Error(`Documents cannot contain HTML: ${text}`)
    },
    heading({ text, depth }) {
      const { title = text, id = anchorOf(text) } = headingWithId.exec(text)?.groups ?? {}
      const content = new Html(marked.parseInline(title) as string)
      if (depth > 3) return html`<h4>${content}</h4>\n`.markup
      sections.push({ id: depth === 1 ? '' : id, title: title.replace(/[*`]/g, ''), depth, text: '' })
      if (depth === 1) return html`<h1>${content}</h1>\n`.markup
      return html`<h${depth} id="${id}">${content}</h${depth}>\n`.markup
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
      const file = href.replace(/^(\.\.\/)+|#.*$/g, '')
      return (label.markup === file ? html`<code>${file}</code>` : html`${label} (<code>${file}</code>)`)
        .markup
    },
    /** Diagrams keep their width on narrow screens and scroll; screenshots shrink. */
    image({ href, text }) {
      const image = html`<img src="${linkUrl(href) ?? ''}" alt="${text.replaceAll('\n', ' ')}">`
      if (!href.endsWith('.svg')) return image.markup
      return html`<span class="diagram" tabindex="0" role="group" aria-label="Diagram">${image}</span>`.markup
    },
  }
  const marked = new Marked({ renderer })
  const content = marked.lexer(text.replace(noteMarker, '')).map(token => {
    const markup = marked.parser([token])
    if (token.type !== 'heading') sections.at(-1)!.text += token.raw.replace(syntax, '$1')
    return new Html(markup)
  })
  return { sections, content: html`${content}` }
}

/** Git hosts give a quotation that begins with this a heading and a colour. */
const noteMarker = /^> \[!IMPORTANT\]\n/gm

/** The target of a link, the rules of a table and the marks around words, which are not searched for. */
const syntax = /\[([^\]]*)\]\([^)]*\)|^```.*|\|(---\|)*|\*\*|`/gm

/** Such as `## Title {#id}`. */
const headingWithId = /^(?<title>.+) \{#(?<id>\w+)\}$/

/** The anchor of a heading, as Git hosts make it, so that a link works in both places. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
