export type {
  CompletedVerification,
  ErrorCode,
  ErrorDetails,
  StartedVerification,
  TokenValidation,
  VerificationChange,
  VerificationCompletedEvent,
  VerificationResult,
} from './api-types.ts'
export type { ChangesOptions } from './changes.ts'
export {
  AgeVerificationClient,
  type CallOptions,
  type ClientOptions,
  type EndUser,
  type StartOptions,
  type ValidationOptions,
} from './client.ts'
export {
  AgeVerificationError,
  ChangesMissedError,
  CompletionTimeoutError,
  type ConnectionFailure,
  type ErrorWithCode,
  ServiceConnectionError,
  type WebhookRejection,
  WebhookVerificationError,
} from './errors.ts'
export type { Fetch, FetchInit, FetchResponse } from './fetch-within.ts'
export type { Hooks, RequestEvent, ResponseEvent } from './hooks.ts'
export type { RateLimit, ResponseInfo, WithResponse } from './response-info.ts'
export type { Retries, RetryOptions } from './retry.policy.ts'
export { signTestEvent, type TestEvent, type TestRequest } from './sign-test-event.ts'
export { type VerifyWebhookOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts'
export { version } from './version.ts'
export type { ChangeOptions, CompletionOptions, WaitOptions } from './wait-for-status.ts'
