/** Every error of the product: its public code and public message. Each transport maps the codes to statuses. */
export const errorCatalogue = {
  UNAUTHENTICATED_TENANT: 'The API key is missing, invalid, expired or revoked.',
  FORBIDDEN: 'The credentials are valid but do not permit this.',
  INVALID_REQUEST_BODY: 'The request body is malformed or has unknown or invalid fields.',
  INVALID_PARAMETERS: 'A parameter is missing or invalid.',
  ROUTE_NOT_FOUND: 'No route matches the request.',
  VERIFICATION_NOT_FOUND: 'No verification matches the verificationId.',
  VERIFICATION_ALREADY_COMPLETED: 'The verification has already reached a terminal status.',
  VERIFICATION_MUST_USE_WEBHOOK:
    'A verification is completed by the identity provider only; wait for the webhook or poll the status.',
  RATE_LIMIT_EXCEEDED: 'Too many requests in the current window. Retry after the given delay.',
  QUOTA_EXCEEDED: "The plan's monthly quota is reached.",
  HARD_LIMIT_EXCEEDED: "The plan's absolute usage ceiling is reached.",
  BILLING_INACTIVE: 'The subscription is inactive.',
  TENANT_INACTIVE: 'The tenant account is disabled.',
  NOT_PROVISIONED: 'A required setting is not configured yet.',
  TENANT_NOT_PROVISIONED: 'The tenant is not provisioned.',
  INTERNAL_ERROR: 'An unexpected error occurred. Retry later; quote the requestId if it persists.',
  DATABASE_ERROR: 'A database operation failed. Retry later.',
  REDIS_ERROR: 'The cache service is unavailable. Retry later.',
} as const

export type ErrorCode = keyof typeof errorCatalogue

/** An expected failure. `message` and `details` are public; `cause` is not. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined

  constructor(code: ErrorCode, options: DomainErrorOptions = {}) {
    super(options.message ?? errorCatalogue[code], { cause: options.cause })
    this.name = 'DomainError'
    this.code = code
    this.details = options.details
  }
}

export interface DomainErrorOptions {
  /** Replaces the catalogue's public message where a more specific one helps. */
  message?: string
  details?: ErrorDetails
  /** The private reason; logged, never sent. */
  cause?: unknown
}

export interface ErrorDetails {
  retryAfterSeconds?: number
  issues?: InputIssue[]
  dependency?: 'identity_provider'
  /**
   * `overloaded`: the request was rejected before anything was done for it. `shutting_down`: the process ended before
   * the request did, which may have been carried out.
   */
  reason?: 'overloaded' | 'shutting_down'
  [detail: string]: unknown
}

/** One invalid part of an input: its dotted path (empty for the input as a whole) and the problem. */
export interface InputIssue {
  path: string
  message: string
}
