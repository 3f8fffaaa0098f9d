import { hash } from 'node:crypto'
import type { Context } from 'koa'

/** Prepares responses of text, with an ETag: 304 without the text for a client that has it already. */
export function textResponder(mediaType: string, headers: Readonly<Record<string, string>>) {
  return (ctx: Context, text: unknown): void => {
    const etag = `"${hash('sha256', String(text), 'base64url')}"`
    ctx.set({ ...headers, 'Content-Type': mediaType, ETag: etag })
    if (isCached(ctx, etag)) ctx.status = 304
    else ctx.body = text
  }
}

/** Not `ctx.fresh`, which is false for the `Cache-Control: no-cache` that `fetch` adds to conditional requests. */
function isCached(ctx: Context, etag: string): boolean {
  const known = ctx.get('If-None-Match').split(',')
  return known.some(each => each.trim().replace(/^W\//, '') === etag)
}
