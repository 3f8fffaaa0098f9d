import type { Context, Next } from 'koa'

/** Of what is public and needs no credentials, so that pages of any site may read it. */
export const crossOriginHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Allows a page what makes a browser ask first, such as `If-None-Match`. Any other OPTIONS matches no route. */
export function allowCrossOrigin(ctx: Context, next: Next): Promise<void> | undefined {
  if (!ctx.get('Access-Control-Request-Method')) return next()
  ctx.set({ ...crossOriginHeaders, 'Access-Control-Allow-Headers': '*', 'Access-Control-Max-Age': '86400' })
  ctx.status = 204
  return undefined
}
