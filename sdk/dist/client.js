import { runtimeFetch } from './fetch-within.js';
import { TokenVerifier } from './offline/token-verifier.js';
import { retryPolicy } from './retry.policy.js';
import { withoutTrailingSlash } from './service-address.js';
import { ServiceConnection } from './service-connection.js';
import { waitForCompletion } from './wait-for-completion.js';
/**
 * Calls the tenant API. Every method throws an `AgeVerificationError` if the service responds with an error, a
 * `ServiceConnectionError` if the service does not respond, and the signal's reason if it is aborted. Transient errors (5xx, the
 * rate limit, a lost connection) are retried first.
 */
export class AgeVerificationClient {
    #service;
    #tokens;
    #timeoutMs;
    #longPolling = { isSupported: true };
    constructor({ apiKey, issuer, fetch = runtimeFetch, timeoutMs = 15_000, retries = {}, ...options }) {
        const baseUrl = withoutTrailingSlash('baseUrl', options.baseUrl);
        // A value that is no header would be part of the message of fetch's own error.
        if (!/^[\x21-\x7e]+$/.test(apiKey ?? ''))
            throw new TypeError('apiKey is missing or has characters that no key has');
        this.#timeoutMs = timeoutMs;
        this.#service = new ServiceConnection({
            baseUrl,
            apiKey,
            fetch,
            timeoutMs,
            retries: retryPolicy(retries),
        });
        this.#tokens = new TokenVerifier({ issuer: issuer ?? baseUrl, baseUrl, fetch, timeoutMs });
    }
    /** Starts a verification. Redirect your user to `sessionUrl`, and store the `verificationId`. */
    async start({ userAgent, ip } = {}, { idempotencyKey = crypto.randomUUID(), signal } = {}) {
        if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
            throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters');
        }
        return this.#service.request({
            method: 'POST',
            path: '/verify/start',
            body: { userAgent, ip },
            headers: { 'idempotency-key': idempotencyKey },
            signal,
        });
    }
    /** The verification's status. Admit on `over18`, never on the status `approved`, which minors get, too. */
    status(verificationId, { signal } = {}) {
        return this.#readStatus({ method: 'GET', path: statusPath({ verificationId }), signal });
    }
    /** Tells the service that your user has returned. It asks the provider for the decision soon. */
    submit(verificationId, { signal } = {}) {
        return this.#readStatus({ method: 'POST', path: '/verify/submit', body: { verificationId }, signal });
    }
    /**
     * Waits until the verification is completed, by long polling where the service supports it, through outages and rate
     * limits. Throws a `CompletionTimeoutError` after `timeoutMs`.
     */
    waitForCompletion(verificationId, options = {}) {
        const readStatus = (wait) => this.#readStatus({
            method: 'GET',
            path: statusPath({ verificationId, ...(wait && { wait: String(wait) }) }),
            signal: options.signal,
            timeoutMs: this.#timeoutMs + (wait ?? 0) * 1000,
            retriesMax: 0,
        });
        return waitForCompletion(readStatus, this.#longPolling, options);
    }
    /** Validates a token at the service, where a revocation takes effect immediately. Admit only if `valid` is true. */
    validateToken(token, { signal } = {}) {
        return this.#service.request({ method: 'POST', path: '/tokens/validate', body: { token }, signal });
    }
    /** Validates a token with the published keys and status lists, both cached: see `TokenVerifier`. */
    verifyTokenOffline(token, options) {
        return this.#tokens.verify(token, options);
    }
    async #readStatus(request) {
        const response = await this.#service.request(request);
        return { ...response, over18: response.over18 ?? null };
    }
}
function statusPath(parameters) {
    return `/verify/status?${new URLSearchParams(parameters)}`;
}
