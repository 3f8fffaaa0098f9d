import type { Context, Next } from 'koa'
import { html } from '../../../html/html.ts'
import { layout } from './layout.ts'

/** Headers of every page, and a page for what went wrong. */
export async function guardPage(ctx: Context, next: Next): Promise<void> {
  ctx.set({
    // Browsers apply form-action to the redirect after a form too, and the callback may be anywhere.
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action https: http:; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    // The address holds the token.
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  try {
    await next()
  } catch (error) {
    const { status, message } = publicError(error)
    if (status >= 500) ctx.app.emit('error', error, ctx)
    ctx.status = status
    ctx.type = 'html'
    ctx.body = layout(
      'Not available',
      html`<section class="card" aria-labelledby="title"><h1 id="title">Not available</h1><p class="lead">${message}</p></section>`,
    )
  }
}

function publicError(error: unknown): { status: number; message: string } {
  if (error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500) {
    return { status: error.status, message: error.message }
  }
  return { status: 500, message: 'Something went wrong. Please try again.' }
}
