export type {
  CompletedVerification,
  ErrorCode,
  ErrorDetails,
  StartedVerification,
  TokenValidation,
  VerificationCompletedEvent,
  VerificationResult,
} from './api-types.ts'
export {
  AgeVerificationClient,
  type CallOptions,
  type ClientOptions,
  type EndUser,
  type StartOptions,
} from './client.ts'
export {
  AgeVerificationError,
  CompletionTimeoutError,
  type ConnectionFailure,
  type ErrorWithCode,
  ServiceConnectionError,
  type WebhookRejection,
  WebhookVerificationError,
} from './errors.ts'
export type { RetryOptions } from './retry.policy.ts'
export { type VerifyWebhookOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts'
export type { WaitOptions } from './wait-for-completion.ts'
