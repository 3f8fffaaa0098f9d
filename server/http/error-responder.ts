import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { DomainError } from '#domain/errors.ts'
import { statusOf, toErrorEnvelope } from '#rest/errors.ts'
import { requestIdHeader } from './request-id.ts'
import { buildSecurityHeaders } from './security-headers.ts'

/** Prepares sending an error, one with `details.retryAfterSeconds`, without the application. */
export function errorResponder(error: DomainError, baseUrl: string): (response: ServerResponse) => void {
  const headers = {
    ...buildSecurityHeaders(baseUrl),
    'Content-Type': 'application/json; charset=utf-8',
    'Retry-After': String(error.details?.retryAfterSeconds),
  }
  const fixed = Object.entries(headers).flat()
  return response => {
    const requestId = randomUUID()
    const body = JSON.stringify(toErrorEnvelope(error, requestId))
    const length = String(Buffer.byteLength(body))
    response.writeHead(statusOf[error.code], [...fixed, requestIdHeader, requestId, 'Content-Length', length])
    response.end(body)
  }
}
