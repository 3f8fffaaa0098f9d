import type {
  CompletedVerification,
  StartedVerification,
  TokenValidation,
  VerificationChange,
  VerificationChangesPage,
  VerificationResult,
  VerificationStatusResponse,
} from './api-types.ts'
import { type ChangesOptions, listChanges } from './changes.ts'
import { type Fetch, runtimeFetch } from './fetch-within.ts'
import type { Hooks } from './hooks.ts'
import { assertMaxAge, assertMilliseconds, assertText, withoutTrailingSlash } from './options.ts'
import { claimsOf, isTooOld } from './proof-age.ts'
import { changesForm, startedForm, statusFormOf, toOver18, validationForm } from './response-forms.ts'
import type { WithResponse } from './response-info.ts'
import { type Retries, type RetryPolicy, retryPolicy } from './retry.policy.ts'
import { ServiceConnection, type ServiceRequest } from './service-connection.ts'
import {
  type ChangeOptions,
  type CompletionOptions,
  type ReadStatus,
  waitForChange,
  waitForCompletion,
} from './wait-for-status.ts'

export interface ClientOptions extends Hooks {
  /** The address of the service, such as `https://verify.example`. The constructor refuses `undefined`, of a variable that is not set. */
  baseUrl: string | undefined
  /** Keep it on your servers. The constructor refuses `undefined`, of a variable that is not set. */
  apiKey: string | undefined
  /** Replaces the runtime's. */
  fetch?: Fetch | undefined
  /** For each attempt, in milliseconds; 15,000 by default, as the service gives the provider 10 seconds to start. */
  timeoutMs?: number | undefined
  /** 2 by default, with exponential backoff. */
  retries?: Retries | undefined
  /** Where both `window` and `document` exist, the constructor throws, because whoever opens a page reads its API key. */
  dangerouslyAllowBrowser?: boolean | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** For each attempt, in milliseconds; the client's by default. */
  timeoutMs?: number | undefined
  /** The client's by default. */
  retries?: Retries | undefined
}

/** Optional facts about your user, which are checked and not stored. */
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

export interface ValidationOptions extends CallOptions {
  /** How long ago the check may have been, by the token's claim `auth_time`; as long as the token lives by default. */
  maxAgeSeconds?: number | undefined
}

/**
 * Calls the tenant API. Every method throws an `AgeVerificationError` if the service responds with an error, a
 * `ServiceConnectionError` if the service does not respond, the signal's reason if it is aborted, and a `TypeError` for an
 * option that can't be used. Transient errors (5xx, the rate limit, a lost connection) are retried first.
 */
export class AgeVerificationClient {
  readonly #service: ServiceConnection
  readonly #timeoutMs: number
  readonly #retries: RetryPolicy

  constructor({ fetch = runtimeFetch, timeoutMs = 15_000, ...options }: ClientOptions) {
    assertServer(options.dangerouslyAllowBrowser)
    assertMilliseconds('timeoutMs', timeoutMs, 1)
    const { apiKey, onRequest, onResponse } = options
    // A value that is no header would be part of the message of fetch's own error.
    assertText('apiKey', apiKey)
    if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('apiKey has characters that no key has')
    const baseUrl = withoutTrailingSlash('baseUrl', options.baseUrl)
    this.#timeoutMs = timeoutMs
    this.#retries = retryPolicy(options.retries)
    this.#service = new ServiceConnection({ baseUrl, apiKey, fetch, onRequest, onResponse })
  }

  /** Starts a verification. Redirect your user to `sessionUrl`; store both, as a resubmission needs `sessionUrl` again. */
  async start(
    endUser: EndUser = {},
    { idempotencyKey = crypto.randomUUID(), ...options }: StartOptions = {},
  ): Promise<WithResponse<StartedVerification>> {
    if (typeof idempotencyKey !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
      throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters')
    }
    return await this.#service.request<StartedVerification>({
      method: 'POST',
      path: '/verify/start',
      body: endUser,
      headers: { 'idempotency-key': idempotencyKey },
      form: startedForm,
      ...this.#terms(options),
    })
  }

  /** The verification's status. Admit on `over18`, never on the status `approved`, which minors get, too. */
  async status(verificationId: string, options: CallOptions = {}): Promise<WithResponse<VerificationResult>> {
    const path = statusPath({ verificationId })
    return await this.#readStatus(verificationId, { method: 'GET', path, ...this.#terms(options) })
  }

  /**
   * Tells the service that your user came back, finished or not. It changes no status, and has the provider asked for the
   * decision soon.
   */
  async submit(verificationId: string, options: CallOptions = {}): Promise<WithResponse<VerificationResult>> {
    const body = { verificationId }
    const request = { method: 'POST', path: '/verify/submit', body } as const
    return await this.#readStatus(verificationId, { ...request, ...this.#terms(options) })
  }

  /**
   * Waits until the verification is completed, by long polling, through outages and rate limits; with `stopAtResubmission`
   * until it is completed or your user has to go to `sessionUrl` again. Throws a `CompletionTimeoutError` after `timeoutMs`.
   */
  async waitForCompletion(
    verificationId: string,
    options?: CompletionOptions & { stopAtResubmission?: false | undefined },
  ): Promise<WithResponse<CompletedVerification>>
  async waitForCompletion(
    verificationId: string,
    options: CompletionOptions,
  ): Promise<WithResponse<VerificationResult>>
  async waitForCompletion(
    verificationId: string,
    options: CompletionOptions = {},
  ): Promise<WithResponse<VerificationResult>> {
    return await waitForCompletion(this.#longPoll(verificationId, options.signal), options)
  }

  /**
   * Waits until the status is no longer `from`, by long polling, through outages and rate limits. Throws a
   * `CompletionTimeoutError` after `timeoutMs`.
   */
  async waitForChange(
    verificationId: string,
    options: ChangeOptions,
  ): Promise<WithResponse<VerificationResult>> {
    return await waitForChange(this.#longPoll(verificationId, options.signal), options)
  }

  /**
   * Your verifications in the order in which they were completed or revoked, behind the cursor of a change that you have
   * handled, or from the oldest that is kept: through outages and rate limits, by long polling, until you leave the loop or
   * abort the signal. None is missed, however long you were away, or a `ChangesMissedError` says that some were deleted.
   */
  changes(
    after?: string | null,
    options: ChangesOptions = {},
  ): AsyncGenerator<VerificationChange, void, undefined> {
    const { signal } = options
    const read = (cursor: string, waitSeconds: number) => {
      const parameters = { ...(cursor && { after: cursor }), wait: String(waitSeconds) }
      return this.#service.request<VerificationChangesPage>({
        method: 'GET',
        path: `/verifications?${new URLSearchParams(parameters)}`,
        form: changesForm,
        signal,
        timeoutMs: this.#timeoutMs + waitSeconds * 1000,
        retries: { ...this.#retries, retriesMax: 0 },
      })
    }
    return listChanges(read, after ?? '', options)
  }

  /**
   * Validates a token at the service, where a revocation takes effect immediately. Admit only if `valid` is true. A valid
   * token that is older than `maxAgeSeconds` by this machine's clock is `TOKEN_TOO_OLD`.
   */
  async validateToken(
    token: string,
    { maxAgeSeconds, ...options }: ValidationOptions = {},
  ): Promise<WithResponse<TokenValidation>> {
    assertMaxAge(maxAgeSeconds)
    const body = { token }
    const request = { method: 'POST', path: '/tokens/validate', body, form: validationForm } as const
    const validation = await this.#service.request<TokenValidation>({ ...request, ...this.#terms(options) })
    if (!validation.valid || !isTooOld(claimsOf(token), maxAgeSeconds, new Date())) return validation
    return Object.assign(validation, { valid: false, over18: false, reason: 'TOKEN_TOO_OLD' as const })
  }

  #terms({ signal, timeoutMs = this.#timeoutMs, retries }: CallOptions) {
    assertMilliseconds('timeoutMs', timeoutMs, 1)
    return { signal, timeoutMs, retries: retryPolicy(retries, this.#retries) }
  }

  #longPoll(verificationId: string, signal: AbortSignal | undefined): ReadStatus {
    return waitSeconds =>
      this.#readStatus(verificationId, {
        method: 'GET',
        path: statusPath({ verificationId, wait: String(waitSeconds) }),
        signal,
        timeoutMs: this.#timeoutMs + waitSeconds * 1000,
        retries: { ...this.#retries, retriesMax: 0 },
      })
  }

  async #readStatus(
    verificationId: string,
    request: Omit<ServiceRequest, 'form'>,
  ): Promise<WithResponse<VerificationResult>> {
    const form = statusFormOf(verificationId)
    const response = await this.#service.request<VerificationStatusResponse>({ ...request, form })
    return Object.assign(response, { over18: toOver18(response) })
  }
}

function assertServer(allowsBrowser = false): void {
  if (allowsBrowser || !('window' in globalThis && 'document' in globalThis)) return
  throw new TypeError(
    'The client runs on your server: in a browser, everybody could read the API key (dangerouslyAllowBrowser, if this is none)',
  )
}

function statusPath(parameters: Record<string, string>): string {
  return `/verify/status?${new URLSearchParams(parameters)}`
}
