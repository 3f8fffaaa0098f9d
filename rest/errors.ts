import type { Context } from 'koa'
import type { ErrorCode } from '#domain/error-codes.ts'
import type { ErrorDetails } from '#domain/error-details.ts'
import type { DomainError } from '#domain/errors.ts'

/** The HTTP status of every error code. */
export const statusOf: Record<ErrorCode, 400 | 401 | 402 | 403 | 404 | 406 | 409 | 429 | 500 | 501 | 503> = {
  UNAUTHENTICATED_TENANT: 401,
  FORBIDDEN: 403,
  INVALID_REQUEST_BODY: 400,
  INVALID_PARAMETERS: 400,
  ROUTE_NOT_FOUND: 404,
  VERIFICATION_NOT_FOUND: 404,
  VERIFICATION_ALREADY_COMPLETED: 400,
  VERIFICATION_MUST_USE_WEBHOOK: 400,
  RATE_LIMIT_EXCEEDED: 429,
  QUOTA_EXCEEDED: 429,
  HARD_LIMIT_EXCEEDED: 429,
  BILLING_INACTIVE: 402,
  TENANT_INACTIVE: 401,
  NOT_PROVISIONED: 409,
  TENANT_NOT_PROVISIONED: 403,
  INTERNAL_ERROR: 500,
  DATABASE_ERROR: 500,
  NOT_ACCEPTABLE: 406,
  NOT_IMPLEMENTED: 501,
  REDIS_ERROR: 503,
}

/** Whether the service failed. Anyone can ask for what it does not support. */
export function isServerError(code: ErrorCode): boolean {
  return statusOf[code] >= 500 && code !== 'NOT_IMPLEMENTED'
}

export interface ErrorEnvelope {
  error: ErrorCode
  message: string
  details?: ErrorDetails
  requestId: string
}

/** The public part of an error, without its cause. */
export function toErrorEnvelope(error: DomainError, requestId: string): ErrorEnvelope {
  const { code, message, details } = error
  return { error: code, message, ...(details ? { details } : {}), requestId }
}

export function sendError(ctx: Context, error: DomainError, requestId: string): void {
  ctx.status = statusOf[error.code]
  ctx.body = toErrorEnvelope(error, requestId)
  // Overrides what an endpoint has set for its successful response.
  ctx.set('Cache-Control', 'no-store')
  const retryAfter = error.details?.retryAfterSeconds
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
}
