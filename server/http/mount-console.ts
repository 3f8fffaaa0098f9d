import { incomingMessageToRequest } from '@trpc/server/adapters/node-http'
import type { Middleware } from 'koa'
import type { ConsoleHandler } from '#console-api/handler.ts'
import { describeRequest } from './access-log.ts'
import { callerAddress } from './client-address.ts'
import { requestIdOf } from './request-id.ts'

const path = '/console'
const bodyBytesMax = 256 * 1024

/** Serves the console's procedures under /console. CORS allows the dashboard's origin and no other. */
export function mountConsole(handler: ConsoleHandler, dashboardUrl: string): Middleware {
  const origin = new URL(dashboardUrl).origin
  return async (ctx, next) => {
    if (ctx.path !== path && !ctx.path.startsWith(`${path}/`)) return next()
    describeRequest(ctx, { route: path })
    if (ctx.get('Origin') === origin) ctx.set(corsHeaders(origin))
    if (ctx.method === 'OPTIONS') {
      ctx.vary('Origin')
      ctx.status = 204
      return
    }
    const request = incomingMessageToRequest(ctx.req, ctx.res, { maxBodySize: bodyBytesMax })
    ctx.body = await handler(request, { requestId: requestIdOf(ctx), ip: callerAddress(ctx) })
    // Set after the body, whose own `Vary` would replace it.
    ctx.vary('Origin')
  }
}

function corsHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Tenant-Id',
    'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After',
    'Access-Control-Max-Age': '600',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}
