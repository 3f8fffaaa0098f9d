import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { DomainError } from '#domain/errors.ts'
import { statusOf, toErrorEnvelope } from '#rest/errors.ts'
import type { JsonResponse, SendJson } from '#rest/ports.ts'
import { getRequestId, requestIdHeader } from './request-id.ts'
import { buildSecurityHeaders } from './security-headers.ts'

/**
 * Prepares responses of one kind: JSON, with a status and headers that are always the same. The head is written from one
 * list, because setting each header on its own costs several times as much.
 */
export function jsonResponder(baseUrl: string): (response: JsonResponse) => SendJson {
  return ({ status, headers }) => {
    const fixed = fixedHeaders(baseUrl, headers)
    return (ctx, result, own = {}) => {
      ctx.status = status
      // The client has disconnected; Koa ends the response.
      if (!ctx.writable) return
      const head = [requestIdHeader, getRequestId(ctx), ...fixed]
      for (const [name, value] of Object.entries(own)) head.push(name, value)
      ctx.respond = false
      send(ctx.res, status, head, result)
    }
  }
}

/** Prepares sending an error, one with `details.retryAfterSeconds`, without the application. */
export function errorResponder(error: DomainError, baseUrl: string): (response: ServerResponse) => void {
  const fixed = fixedHeaders(baseUrl, { 'Retry-After': String(error.details?.retryAfterSeconds) })
  return response => {
    const requestId = randomUUID()
    const head = [requestIdHeader, requestId, ...fixed]
    send(response, statusOf[error.code], head, toErrorEnvelope(error, requestId))
  }
}

function fixedHeaders(baseUrl: string, headers: Record<string, string>): string[] {
  const type = { 'Content-Type': 'application/json; charset=utf-8' }
  return Object.entries({ ...buildSecurityHeaders(baseUrl), ...headers, ...type }).flat()
}

function send(response: ServerResponse, status: number, head: string[], result: unknown): void {
  const body = JSON.stringify(result)
  head.push('Content-Length', String(Buffer.byteLength(body)))
  response.writeHead(status, head).end(body)
}
