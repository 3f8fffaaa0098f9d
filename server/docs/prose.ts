import { type Html, html } from '../html/html.ts'

/** Text with `code` in backticks, as the OpenAPI document writes it. */
export function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

/** Lines to copy, and what they are. A long line scrolls, so the block can be reached with the keyboard. */
export function block(label: string, text: string): Html {
  return html`<figure>
<figcaption>${label}</figcaption>
<pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>
</figure>`
}
