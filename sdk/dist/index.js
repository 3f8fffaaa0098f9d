export { AgeVerificationClient, } from './client.js';
export { AgeVerificationError, CompletionTimeoutError, ServiceConnectionError, WebhookVerificationError, } from './errors.js';
export { TokenVerifier, } from './offline/token-verifier.js';
export { verifyWebhook } from './verify-webhook.js';
