import type { Context } from 'koa'
import type { DomainError, ErrorCode } from '#domain/errors.ts'

/** The one table from refusals to HTTP statuses. */
export const statusOf: Record<ErrorCode, 400 | 401 | 402 | 403 | 404 | 409 | 429 | 500 | 503> = {
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
  REDIS_ERROR: 503,
}

export interface ErrorEnvelope {
  error: ErrorCode
  message: string
  details?: Record<string, unknown>
  requestId: string
}

/** A refusal as it leaves: its cause does not. */
export function toErrorEnvelope(refusal: DomainError, requestId: string): ErrorEnvelope {
  const { code, message, details } = refusal
  return { error: code, message, ...(details ? { details } : {}), requestId }
}

export function sendError(ctx: Context, refusal: DomainError, requestId: string): void {
  ctx.status = statusOf[refusal.code]
  ctx.body = toErrorEnvelope(refusal, requestId)
  // An endpoint may have said how long its answer can be kept; a refusal is good for its own request only.
  ctx.set('Cache-Control', 'no-store')
  const retryAfter = refusal.details?.retryAfterSeconds
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
}
