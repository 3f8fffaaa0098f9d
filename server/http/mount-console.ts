import type { ServerResponse } from 'node:http'
import type { Context, Middleware } from 'koa'
import type { ConsoleHandler, RequestExtra } from '#console-api/handler.ts'
import { DomainError } from '#domain/errors.ts'
import type { RequestParts } from '#domain/scope.ts'
import { findCharsetIssue } from '#rest/content-type.ts'
import { abortOnDisconnect } from '#rest/endpoint.ts'
import { invalidBody } from '#rest/input.ts'
import { readBytes } from '#rest/read-body.ts'
import { describeRequest } from './access-log.ts'
import { callerAddress } from './client-address.ts'
import { getRequestId } from './request-id.ts'

export const consolePath = '/console'
const bodyBytesMax = 64 * 1024

type RequestOf = (ctx: Context) => RequestParts

/** Serves the console's procedures under /console. CORS allows the dashboard's origin and no other. */
export function mountConsole(
  handler: ConsoleHandler,
  dashboardUrl: string,
  requestOf: RequestOf,
): Middleware {
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
    const parts = requestOf(ctx)
    const readBody = bodyReader(ctx, parts)
    const request = toRequest(ctx, readBody)
    const response = await handler(request, describeCaller(ctx, parts, readBody))
    await respond(ctx, response)
    // Set after the body, whose own `Vary` would replace it.
    ctx.vary('Origin')
  }
}

function describeCaller(ctx: Context, parts: RequestParts, readBody: () => Promise<string>): RequestExtra {
  return {
    requestId: getRequestId(ctx),
    ip: callerAddress(ctx),
    parts,
    body: ctx.method === 'POST' ? readBody : undefined,
    describe: fields => describeRequest(ctx, fields),
  }
}

/** An export is sent as it is read; the answer of a call is complete. */
async function respond(ctx: Context, response: Response): Promise<void> {
  // Of who isn't signed in, no body is read.
  if (!ctx.req.complete) ctx.set('Connection', 'close')
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

/** What reads the body, once. It throws `INVALID_REQUEST_BODY` whenever it's called, because the sign-in is judged first. */
function bodyReader(ctx: Context, { request }: RequestParts): () => Promise<string> {
  const charsetIssue = findCharsetIssue(ctx)
  const read = async () => {
    if (charsetIssue) throw invalidBody([charsetIssue])
    return (await readBytes(ctx, request, bodyBytesMax)).toString()
  }
  let reading: Promise<string> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}

/** Throws `INVALID_PARAMETERS` for what no `Request` can represent: an impossible port in the target, or the method TRACE. */
function toRequest(ctx: Context, text: () => Promise<string>): Request {
  const headers = new Headers(ctx.headers as Record<string, string>)
  // The calls of a streamed response would run after the request has ended.
  for (const name of ['accept', 'trpc-accept']) headers.delete(name)
  // tRPC rejects a POST without a type, which one without a body can leave out.
  const hasBody = ctx.request.length ?? headers.has('transfer-encoding')
  if (!hasBody && !headers.get('content-type')) headers.set('content-type', 'application/json')
  try {
    // Only the path of the address counts, and a `Request` has no place for every valid host.
    const url = new URL(ctx.url, 'http://localhost')
    const request = new Request(url, { method: ctx.method, headers, signal: abortOnDisconnect(ctx.res) })
    return Object.assign(request, { text })
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
