import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Html, html } from '#server/pages/html/html.ts'
import { renderPage } from '#server/pages/html/render-page.ts'
import { theme } from '#server/pages/html/theme.ts'
import { wordmark } from '#server/pages/html/wordmark.ts'

/** What every page of a development server says about it. */
export interface PageFrame {
  /** In the header and in the window's title. */
  name: string
  badge: string
  /** At the end of the page. */
  note: string
  /** Where forms may be sent to, also by the redirects after them: sources of a content security policy. */
  formAction: string[]
}

interface PageContext {
  type: string
  body: unknown
  set(headers: Record<string, string>): void
}

/** Sends a page that can load only the style sheet `/page.css` and its icon. */
export function sendPage(ctx: PageContext, frame: PageFrame, title: string, content: Html): void {
  const { name, badge, note, formAction } = frame
  ctx.set({
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src data:; font-src data:; base-uri 'none'; frame-ancestors 'none'; " +
      `form-action ${formAction.join(' ')}`,
    // With no-referrer, the page's own forms would be sent with `Origin: null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  ctx.type = 'html'
  ctx.body = renderPage({
    title: `${title} · ${badge}`,
    style: '/page.css',
    body: html`<header>
<p class="brand">${wordmark(name)} <span class="badge">${badge}</span></p>
</header>
<main>
${content}
</main>
<footer>
<p>${note}</p>
</footer>`,
  }).markup
}

/** Sends a page with a heading and a sentence. */
export function sendMessage(ctx: PageContext, frame: PageFrame, title: string, message: string): void {
  sendPage(
    ctx,
    frame,
    title,
    html`<section class="card"><h1>${title}</h1><p class="lead">${message}</p></section>`,
  )
}

const style = theme + readFileSync(join(import.meta.dirname, 'page.css'), 'utf8')

export function sendStyle(ctx: PageContext): void {
  ctx.type = 'css'
  ctx.body = style
}
