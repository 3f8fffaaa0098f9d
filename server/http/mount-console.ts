import type { ServerResponse } from 'node:http'
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http'
import type { Context, Middleware } from 'koa'
import type { ConsoleHandler, RequestExtra } from '#console-api/handler.ts'
import { DomainError } from '#domain/errors.ts'
import { type DomainLog, whileIdle } from '#domain/scope.ts'
import { findCharsetIssue } from '#rest/content-type.ts'
import { invalidBody } from '#rest/input.ts'
import { readBytes } from '#rest/read-body.ts'
import { describeRequest } from './access-log.ts'
import { callerAddress } from './client-address.ts'
import { getRequestId } from './request-id.ts'

export const consolePath = '/console'
const bodyBytesMax = 64 * 1024

type LogOf = (ctx: Context) => DomainLog

/** Serves the console's procedures under /console. CORS allows the dashboard's origin and no other. */
export function mountConsole(handler: ConsoleHandler, dashboardUrl: string, logOf: LogOf): Middleware {
  const origin = new URL(dashboardUrl).origin
  return async (ctx, next) => {
    if (ctx.path !== consolePath && !ctx.path.startsWith(`${consolePath}/`)) return next()
    describeRequest(ctx, { route: consolePath })
    if (ctx.get('Origin') === origin) ctx.set(corsHeaders(origin))
    if (ctx.method === 'OPTIONS') {
      ctx.vary('Origin')
      ctx.status = 204
      return
    }
    const extra = describeCaller(ctx, logOf)
    const response = await handler(toRequest(ctx, await bodyReader(ctx, extra.log)), extra)
    await respond(ctx, response)
    // Set after the body, whose own `Vary` would replace it.
    ctx.vary('Origin')
  }
}

function describeCaller(ctx: Context, logOf: LogOf): RequestExtra {
  return {
    requestId: getRequestId(ctx),
    ip: callerAddress(ctx),
    log: logOf(ctx),
    describe: fields => describeRequest(ctx, fields),
  }
}

/** An export is sent as it is read; the answer of a call is complete. */
async function respond(ctx: Context, response: Response): Promise<void> {
  if (response.headers.get('Content-Type') !== 'application/json') {
    cancelUnread(response, ctx.res)
    ctx.body = response
    return
  }
  ctx.status = response.status
  for (const [name, value] of response.headers) ctx.set(name, value)
  ctx.body = await response.text()
}

/** Koa doesn't read the body for a client that is gone. What produces it learns that from the cancellation. */
function cancelUnread({ body }: Response, sent: ServerResponse): void {
  const cancel = () => {
    if (body && !body.locked) void body.cancel()
  }
  if (sent.closed) cancel()
  else sent.once('close', cancel)
}

/**
 * What reads the body: `INVALID_REQUEST_BODY` for one that can't be read, because the sign-in is judged first. It is read
 * before anything waits for it, because tRPC's own stream doesn't end with the connection; but a client that expects to be
 * asked for it is asked after the sign-in.
 */
async function bodyReader(ctx: Context, log: DomainLog): Promise<() => Promise<string>> {
  if (ctx.method !== 'POST') return async () => ''
  let reading: Promise<string> | undefined
  const read = () => {
    reading ??= readBody(ctx, log)
    return reading
  }
  if (!ctx.get('Expect')) await read().catch(() => undefined)
  return read
}

async function readBody(ctx: Context, log: DomainLog): Promise<string> {
  const issue = findCharsetIssue(ctx)
  if (issue) throw invalidBody([issue])
  return (await whileIdle(log, () => readBytes(ctx, bodyBytesMax))).toString()
}

/** Throws `INVALID_PARAMETERS` for what no `Request` can represent: an impossible port in the target, or the method TRACE. */
function toRequest(ctx: Context, readBody: () => Promise<string>): Request {
  // Only the path of the address counts, and a `Request` has no place for every valid host.
  Object.assign(ctx.req, { body: '' })
  ctx.req.headers.host = 'localhost'
  try {
    const request = incomingMessageToRequest(ctx.req, ctx.res, { maxBodySize: bodyBytesMax })
    // The calls of a streamed response would run after the request has ended.
    for (const name of ['accept', 'trpc-accept']) request.headers.delete(name)
    // A request gets the type of its text.
    if (!ctx.headers['content-type']) request.headers.delete('content-type')
    return Object.assign(request, { text: readBody })
  } catch (error) {
    throw new DomainError('INVALID_PARAMETERS', {
      message: 'The target or the method of the request is not valid.',
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
