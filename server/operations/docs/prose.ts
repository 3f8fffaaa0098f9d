import { type Html, html } from '../../page/html.ts'

/** Text with `code` in backticks, as the OpenAPI document writes it. */
export function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

/** Lines to copy. A long one scrolls, so the block can be reached with the keyboard. */
export function block(label: string, text: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`
}
