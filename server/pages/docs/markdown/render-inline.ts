import type { Token, Tokens } from 'marked'
import { type Html, html } from '../../html/html.ts'
import { type LinkBase, urlOf } from './links.ts'

/** Renders the content of a paragraph, heading or cell. Throws for markup that the documents do not use, such as HTML. */
export function renderInline(tokens: Token[], base: LinkBase): Html {
  return html`${tokens.map(token => renderToken(token as Tokens.Generic, base))}`
}

function renderToken(token: Tokens.Generic, base: LinkBase): Html {
  const inner = () => renderInline(token.tokens ?? [], base)
  switch (token.type) {
    case 'text':
      return token.tokens ? inner() : html`${token.text}`
    case 'escape':
      return html`${token.text}`
    case 'codespan':
      return html`<code>${token.text}</code>`
    case 'strong':
      return html`<strong>${inner()}</strong>`
    case 'em':
      return html`<em>${inner()}</em>`
    case 'link':
      return renderLink(token.href, inner(), base)
    case 'image':
      return renderImage(token.href, token.text.replaceAll('\n', ' '), base)
    case 'checkbox':
      return html``
    default:
      throw new Error(`The documents cannot contain ${token.type}: ${token.raw}`)
  }
}

/** A file of the repository is named, not linked. */
function renderLink(href: string, label: Html, base: LinkBase): Html {
  const url = urlOf(href, base)
  if (url !== undefined) return html`<a href="${url}">${label}</a>`
  const file = href.replace(/^(\.\.\/)+/, '').replace(/#.*$/, '')
  return label.markup === file ? html`<code>${file}</code>` : html`${label} (<code>${file}</code>)`
}

/** Diagrams keep their width on narrow screens and scroll; screenshots shrink. */
function renderImage(href: string, text: string, base: LinkBase): Html {
  const image = html`<img src="${urlOf(href, base) ?? ''}" alt="${text}">`
  if (!href.endsWith('.svg')) return image
  return html`<span class="diagram" tabindex="0" role="group" aria-label="Diagram">${image}</span>`
}
