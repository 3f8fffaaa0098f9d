import type { Html } from '../../../html/html.ts'

interface Answer {
  type: string
  body: unknown
  set(headers: Record<string, string>): void
}

/** Sends a page that can load nothing but the style sheet and its own empty icon, and post only here and to the given origins. */
export function sendPage(ctx: Answer, page: Html, formTargets: string[] = []): void {
  ctx.set({
    'cache-control': 'no-store',
    'content-security-policy':
      `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; ` +
      `form-action ${["'self'", ...formTargets].join(' ')}`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  ctx.type = 'html'
  ctx.body = page.markup
}
