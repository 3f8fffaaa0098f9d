import type { Context } from 'koa'

/** Whether the client is a browser that opens a page. Programs, which accept anything, get JSON. */
export function acceptsHtml(ctx: Context): boolean {
  ctx.vary('Accept')
  return ctx.accepts('json', 'html') === 'html'
}
