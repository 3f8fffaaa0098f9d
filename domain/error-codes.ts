/**
 * Every error of the product: its public code and public message. Each transport maps the codes to statuses;
 * `error-details.ts` has what an error says beside its message.
 */
export const errorCatalogue = {
  UNAUTHENTICATED_TENANT: 'The API key is missing, invalid, expired or revoked.',
  FORBIDDEN: 'The credentials are valid but do not permit this.',
  INVALID_REQUEST_BODY: 'The request body is malformed or has unknown or invalid fields.',
  INVALID_PARAMETERS: 'A parameter is missing or invalid.',
  ROUTE_NOT_FOUND: 'No route matches the request.',
  VERIFICATION_NOT_FOUND: 'No verification matches the verificationId.',
  VERIFICATION_ALREADY_COMPLETED:
    'The verification has already reached a terminal status. Read it with GET /verify/status.',
  VERIFICATION_MUST_USE_WEBHOOK:
    'A verification is completed by the identity provider only; wait for the webhook or poll the status.',
  RATE_LIMIT_EXCEEDED: 'Too many requests in the current window. Retry after the given delay.',
  QUOTA_EXCEEDED: "The plan's monthly quota is reached. Ask the operator of this service for a larger plan.",
  HARD_LIMIT_EXCEEDED:
    "The plan's absolute usage ceiling is reached. Ask the operator of this service for a larger plan.",
  BILLING_INACTIVE: 'The subscription is inactive. Contact the operator of this service.',
  TENANT_INACTIVE: 'The tenant account is disabled. Contact the operator of this service.',
  NOT_PROVISIONED: 'A required setting is not configured yet.',
  TENANT_NOT_PROVISIONED: 'The tenant is not provisioned. Contact the operator of this service.',
  INTERNAL_ERROR: 'An unexpected error occurred. Retry later; quote the requestId if it persists.',
  DATABASE_ERROR: 'A database operation failed. Retry later.',
  NOT_ACCEPTABLE: 'The request accepts none of the media types that the service can send.',
  NOT_IMPLEMENTED: 'The service does not support what the request asks for.',
  REDIS_ERROR: 'The cache service is unavailable. Retry later.',
} as const

export type ErrorCode = keyof typeof errorCatalogue
