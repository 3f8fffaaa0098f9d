import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Html, html } from './html.ts'
import { renderPage, wordmark } from './render-page.ts'
import { theme } from './theme.ts'

/** What every simple page says about itself. */
export interface PageFrame {
  /** In the header and in the window's title. */
  name: string
  badge?: string
  /** At the end of the page. */
  note: string
  /** Where forms may be sent to, also by the redirects after them: sources of a content security policy. */
  formAction: string[]
  /** The path of the style sheet, where it isn't `/page.css`. */
  style?: string
}

interface PageContext {
  type: string
  body: unknown
  set(headers: Record<string, string>): void
}

/** Sends a page that can load only its style sheet and its icon. */
export function sendPage(ctx: PageContext, frame: PageFrame, title: string, content: Html): void {
  const { name, badge, note, formAction, style = '/page.css' } = frame
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
    title: `${title} · ${badge ?? name}`,
    style,
    body: html`<header>
<p class="brand">${wordmark(name)}${badge === undefined ? '' : html` <span class="badge">${badge}</span>`}</p>
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

const styleSheet = theme + readFileSync(join(import.meta.dirname, 'simple-page.css'), 'utf8')

export function sendStyle(ctx: PageContext): void {
  ctx.type = 'css'
  ctx.body = styleSheet
}
