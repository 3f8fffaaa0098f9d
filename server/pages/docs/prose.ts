import { type Html, html } from '../html/html.ts'

/** Text with `code` in backticks, as in the OpenAPI document. */
export function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

/** Lines of code with a caption. Long lines scroll, so the block can have the keyboard's focus. */
export function codeBlock(caption: string, code: string): Html {
  return html`<figure>
<figcaption>${caption}</figcaption>
<pre tabindex="0" role="group" aria-label="${caption}"><code>${code}</code></pre>
</figure>`
}
