import { type Html, html } from '../../../html/html.ts'
import { pageOf } from '../../../html/page-of.ts'

export function layout(title: string, content: Html): string {
  return pageOf({
    title: `${title} · Identity check (local stand-in)`,
    style: '/assets/page.css',
    icon: '/assets/icon.svg',
    body: html`<header class="bar">
<p class="brand">Identity check <span class="badge">Local stand-in</span></p>
</header>
<main>
${content}
</main>
<footer>
<p>This page stands in for the identity provider Veriff, so that the whole journey can be tried on one machine. It is not Veriff. It never asks for documents, photos or personal data.</p>
</footer>`,
  }).markup
}
