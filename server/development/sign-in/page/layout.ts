import { type Html, html } from '../../../html/html.ts'
import { pageOf } from '../../../html/page-of.ts'

export function layout(title: string, content: Html): Html {
  return pageOf({
    title: `${title} · Development sign-in`,
    style: '/sign-in.css',
    body: html`<main class="card">
<p class="badge">Development sign-in</p>
${content}
</main>`,
  })
}
