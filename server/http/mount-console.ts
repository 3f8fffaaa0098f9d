import { incomingMessageToRequest } from '@trpc/server/adapters/node-http'
import type { Context, Middleware } from 'koa'
import type { ConsoleHandler, RequestExtra } from '#console-api/handler.ts'
import { DomainError } from '#domain/errors.ts'
import type { Services } from '../services.ts'
import { describeRequest } from './access-log.ts'
import { callerAddress } from './client-address.ts'
import { requestIdOf } from './request-id.ts'
import { RequestLog } from './request-log.ts'

export const consolePath = '/console'
const bodyBytesMax = 64 * 1024

type Host = Pick<Services, 'config' | 'log' | 'idleRequests'>

/** Serves the console's procedures under /console. CORS allows the dashboard's origin and no other. */
export function mountConsole(handler: ConsoleHandler, { config, log, idleRequests }: Host): Middleware {
  const origin = new URL(config.dashboardUrl).origin
  return async (ctx, next) => {
    if (ctx.path !== consolePath && !ctx.path.startsWith(`${consolePath}/`)) return next()
    describeRequest(ctx, { route: consolePath })
    if (ctx.get('Origin') === origin) ctx.set(corsHeaders(origin))
    if (ctx.method === 'OPTIONS') {
      ctx.vary('Origin')
      ctx.status = 204
      return
    }
    ctx.body = await handler(toRequest(ctx), extraOf(ctx, new RequestLog(log, ctx, idleRequests)))
    // Set after the body, whose own `Vary` would replace it.
    ctx.vary('Origin')
  }
}

function extraOf(ctx: Context, log: RequestLog): RequestExtra {
  return {
    requestId: requestIdOf(ctx),
    ip: callerAddress(ctx),
    log,
    describe: fields => describeRequest(ctx, fields),
  }
}

/** Throws `INVALID_PARAMETERS` for what no `Request` can represent: a malformed host, or the method TRACE. */
function toRequest(ctx: Context): Request {
  try {
    return incomingMessageToRequest(ctx.req, ctx.res, { maxBodySize: bodyBytesMax })
  } catch (error) {
    throw new DomainError('INVALID_PARAMETERS', {
      message: 'The host or the method of the request is not valid.',
      cause: error,
    })
  }
}

function corsHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Tenant-Id',
    'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, Content-Disposition',
    'Access-Control-Max-Age': '600',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}
