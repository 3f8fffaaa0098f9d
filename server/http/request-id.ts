import { randomUUID } from 'node:crypto'
import { trace } from '@opentelemetry/api'
import type { Context, Middleware } from 'koa'

export const requestIdHeader = 'x-request-id'

/** What identifies a request in all its log lines. */
export interface RequestIds {
  requestId: string
  /** The header `X-Request-Id` of the request, if it has one that is well-formed. */
  inboundRequestId: string | undefined
  /** The trace that the request is a part of, where it is traced. */
  traceId: string | undefined
}

/** Generates the request id, which appears in the response header, in error envelopes and in every log line. */
export const requestId: Middleware = async (ctx, next) => {
  const { headers } = ctx.req
  ctx.state.requestId = randomUUID()
  ctx.state.inboundRequestId = wellFormedId(headers[requestIdHeader])
  ctx.state.traceId = trace.getActiveSpan()?.spanContext().traceId
  await next()
  if (!ctx.headerSent) ctx.set(requestIdHeader, getRequestId(ctx))
}

export function getRequestId(ctx: Context): string {
  return ctx.state.requestId as string
}

export function getRequestIds({ state }: Context): RequestIds {
  const { requestId, inboundRequestId, traceId } = state as RequestIds
  return { requestId, inboundRequestId, traceId }
}

/** Anyone can send the header, so only what ids consist of gets into the log. */
function wellFormedId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:=+/-]{1,128}$/.test(header) ? header : undefined
}
