import type {
  CompletedVerification,
  StartedVerification,
  TokenValidation,
  VerificationResult,
  VerificationStatusResponse,
} from './api-types.ts'
import { type Fetch, runtimeFetch } from './fetch-within.ts'
import { type RetryOptions, retryPolicy } from './retry.policy.ts'
import { withoutTrailingSlash } from './service-address.ts'
import { ServiceConnection, type ServiceRequest } from './service-connection.ts'
import { type WaitOptions, waitForCompletion } from './wait-for-completion.ts'

export interface ClientOptions {
  /** The address of the service, such as `https://verify.example`. */
  baseUrl: string
  /** Keep it on your servers. */
  apiKey: string
  /** Replaces the runtime's. */
  fetch?: Fetch | undefined
  /** For each attempt, in milliseconds; 15,000 by default, as the service gives the provider 10 seconds to start. */
  timeoutMs?: number | undefined
  retries?: RetryOptions | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

/** Optional facts about your user, for the identity provider. */
export interface EndUser {
  /** The user agent string of the browser, at most 1,024 characters. */
  userAgent?: string | undefined
  /** An IPv4 or IPv6 address. */
  ip?: string | undefined
}

export interface StartOptions extends CallOptions {
  /**
   * Starts with the same key and end user give the same verification for 24 hours. A new one for each call by default,
   * which makes the client's own retries safe; pass one of yours, such as an order number, to make yours safe, too.
   */
  idempotencyKey?: string | undefined
}

/**
 * Calls the tenant API. Every method throws an `AgeVerificationError` if the service responds with an error, a
 * `ServiceConnectionError` if the service does not respond, and the signal's reason if it is aborted. Transient errors (5xx, the
 * rate limit, a lost connection) are retried first.
 */
export class AgeVerificationClient {
  readonly #service: ServiceConnection
  readonly #timeoutMs: number

  constructor({ apiKey, fetch = runtimeFetch, timeoutMs = 15_000, retries = {}, ...options }: ClientOptions) {
    const baseUrl = withoutTrailingSlash('baseUrl', options.baseUrl)
    // A value that is no header would be part of the message of fetch's own error.
    if (!/^[\x21-\x7e]+$/.test(apiKey ?? ''))
      throw new TypeError('apiKey is missing or has characters that no key has')
    this.#timeoutMs = timeoutMs
    const connection = { baseUrl, apiKey, fetch, timeoutMs, retries: retryPolicy(retries) }
    this.#service = new ServiceConnection(connection)
  }

  /** Starts a verification. Redirect your user to `sessionUrl`, and store the `verificationId`. */
  async start(
    { userAgent, ip }: EndUser = {},
    { idempotencyKey = crypto.randomUUID(), signal }: StartOptions = {},
  ): Promise<StartedVerification> {
    if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
      throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters')
    }
    return this.#service.request({
      method: 'POST',
      path: '/verify/start',
      body: { userAgent, ip },
      headers: { 'idempotency-key': idempotencyKey },
      signal,
    })
  }

  /** The verification's status. Admit on `over18`, never on the status `approved`, which minors get, too. */
  status(verificationId: string, { signal }: CallOptions = {}): Promise<VerificationResult> {
    return this.#readStatus({ method: 'GET', path: statusPath({ verificationId }), signal })
  }

  /** Tells the service that your user has returned. It asks the provider for the decision soon. */
  submit(verificationId: string, { signal }: CallOptions = {}): Promise<VerificationResult> {
    return this.#readStatus({ method: 'POST', path: '/verify/submit', body: { verificationId }, signal })
  }

  /**
   * Waits until the verification is completed, by long polling, through outages and rate limits. Throws a
   * `CompletionTimeoutError` after `timeoutMs`.
   */
  waitForCompletion(verificationId: string, options: WaitOptions = {}): Promise<CompletedVerification> {
    const readStatus = (waitSeconds: number) =>
      this.#readStatus({
        method: 'GET',
        path: statusPath({ verificationId, wait: String(waitSeconds) }),
        signal: options.signal,
        timeoutMs: this.#timeoutMs + waitSeconds * 1000,
        retriesMax: 0,
      })
    return waitForCompletion(readStatus, options)
  }

  /** Validates a token at the service, where a revocation takes effect immediately. Admit only if `valid` is true. */
  validateToken(token: string, { signal }: CallOptions = {}): Promise<TokenValidation> {
    return this.#service.request({ method: 'POST', path: '/tokens/validate', body: { token }, signal })
  }

  async #readStatus(request: ServiceRequest): Promise<VerificationResult> {
    const response = await this.#service.request<VerificationStatusResponse>(request)
    return { ...response, over18: response.over18 ?? null }
  }
}

function statusPath(parameters: Record<string, string>): string {
  return `/verify/status?${new URLSearchParams(parameters)}`
}
