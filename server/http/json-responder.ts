import type { JsonResponse, SendJson } from '#rest/ports.ts'
import { getRequestId, requestIdHeader } from './request-id.ts'
import { buildSecurityHeaders } from './security-headers.ts'

/**
 * Prepares responses of one kind: JSON, with a status and headers that are always the same. The head is written from one
 * list, because setting each header on its own costs several times as much.
 */
export function jsonResponder(baseUrl: string): (response: JsonResponse) => SendJson {
  return ({ status, headers }) => {
    const type = { 'Content-Type': 'application/json; charset=utf-8' }
    const fixed = Object.entries({ ...buildSecurityHeaders(baseUrl), ...headers, ...type }).flat()
    return (ctx, result, own = {}) => {
      ctx.status = status
      // The client has disconnected; Koa ends the response.
      if (!ctx.writable) return
      const body = JSON.stringify(result)
      const head = [requestIdHeader, getRequestId(ctx), ...fixed]
      for (const [name, value] of Object.entries(own)) head.push(name, value)
      head.push('Content-Length', String(Buffer.byteLength(body)))
      ctx.respond = false
      ctx.res.writeHead(status, head).end(body)
    }
  }
}
