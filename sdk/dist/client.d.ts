import type { CompletedVerification, StartedVerification, TokenValidation, VerificationResult } from './api-types.ts';
import { type Fetch } from './fetch-within.ts';
import { type OfflineValidation, type VerifyTokenOptions } from './offline/token-verifier.ts';
import { type RetryOptions } from './retry.policy.ts';
import { type WaitOptions } from './wait-for-completion.ts';
export interface ClientOptions {
    /** The address of the service, such as `https://verify.example`. */
    baseUrl: string;
    /** Keep it on your servers. */
    apiKey: string;
    /** The `iss` of tokens; `baseUrl` by default. Needed where your servers reach the service by another address. */
    issuer?: string | undefined;
    /** Replaces the runtime's. */
    fetch?: Fetch | undefined;
    /** For each attempt, in milliseconds; 15,000 by default, as the service gives the provider 10 seconds to start. */
    timeoutMs?: number | undefined;
    retries?: RetryOptions | undefined;
}
export interface CallOptions {
    signal?: AbortSignal | undefined;
}
/** Optional facts about your user, for the identity provider. */
export interface EndUser {
    /** The user agent string of the browser, at most 1,024 characters. */
    userAgent?: string | undefined;
    /** An IPv4 or IPv6 address. */
    ip?: string | undefined;
}
export interface StartOptions extends CallOptions {
    /**
     * Starts with the same key and end user give the same verification for 24 hours. A new one for each call by default,
     * which makes the client's own retries safe; pass one of yours, such as an order number, to make yours safe, too.
     */
    idempotencyKey?: string | undefined;
}
export type OfflineOptions = VerifyTokenOptions;
/**
 * Calls the tenant API. Every method throws an `AgeVerificationError` if the service responds with an error, a
 * `ServiceConnectionError` if the service does not respond, and the signal's reason if it is aborted. Transient errors (5xx, the
 * rate limit, a lost connection) are retried first.
 */
export declare class AgeVerificationClient {
    #private;
    constructor({ apiKey, issuer, fetch, timeoutMs, retries, ...options }: ClientOptions);
    /** Starts a verification. Redirect your user to `sessionUrl`, and store the `verificationId`. */
    start({ userAgent, ip }?: EndUser, { idempotencyKey, signal }?: StartOptions): Promise<StartedVerification>;
    /** The verification's status. Admit on `over18`, never on the status `approved`, which minors get, too. */
    status(verificationId: string, { signal }?: CallOptions): Promise<VerificationResult>;
    /** Tells the service that your user has returned. It asks the provider for the decision soon. */
    submit(verificationId: string, { signal }?: CallOptions): Promise<VerificationResult>;
    /**
     * Waits until the verification is completed, by long polling where the service supports it, through outages and rate
     * limits. Throws a `CompletionTimeoutError` after `timeoutMs`.
     */
    waitForCompletion(verificationId: string, options?: WaitOptions): Promise<CompletedVerification>;
    /** Validates a token at the service, where a revocation takes effect immediately. Admit only if `valid` is true. */
    validateToken(token: string, { signal }?: CallOptions): Promise<TokenValidation>;
    /** Validates a token with the published keys and status lists, both cached: see `TokenVerifier`. */
    verifyTokenOffline(token: string, options: OfflineOptions): Promise<OfflineValidation>;
}
