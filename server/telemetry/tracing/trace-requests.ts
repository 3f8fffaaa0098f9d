import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { Context, Middleware } from 'koa'
import { findRoute, type RequestFields } from '../../http/access-log.ts'
import type { RequestIds } from '../../http/request-id.ts'
import { parentContext, type SpanContext, toAttributes } from './span-context.ts'

/** Requests of monitoring systems, which nobody looks for in traces. */
const untraced = /^\/(health\/|metrics$)/

/** Each request as a span from its arrival to the end of its response, with the fields of its line in the access log. */
export function traceRequests(tracer: Tracer, { storage }: SpanContext): Middleware {
  return (ctx, next) => {
    const { headers, url = '' } = ctx.req
    if (untraced.test(url)) return next()
    const span = tracer.startSpan(ctx.method, { kind: SpanKind.SERVER }, parentContext(headers.traceparent))
    ctx.state.traceId = span.spanContext().traceId
    if (span.isRecording()) ctx.res.once('close', () => endSpan(span, ctx))
    return storage.run(trace.setSpan(ROOT_CONTEXT, span), next)
  }
}

function endSpan(span: Span, ctx: Context): void {
  const state = ctx.state as RequestIds & RequestFields
  const { requestId, tenantId, apiKeyId, verificationId, code, reason, procedure } = state
  const route = findRoute(ctx)
  const { statusCode } = ctx.res
  span.updateName(route === 'none' ? ctx.method : route)
  span.setAttributes({
    'http.request.method': ctx.method,
    'http.response.status_code': statusCode,
    ...(route === 'none' ? {} : { 'http.route': route.slice(route.indexOf(' ') + 1) }),
    ...(code === undefined ? {} : { 'error.type': code }),
    ...toAttributes({ requestId, tenantId, apiKeyId, verificationId, reason, procedure }),
    ...(ctx.res.writableFinished ? {} : toAttributes({ aborted: 1 })),
  })
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
