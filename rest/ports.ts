/** The interfaces that the tenant API requires of its host. `server` has the adapters. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'koa'
import type { AdmissionError } from '#domain/api-key/admission.policy.ts'
import type { RateClass } from '#domain/api-key/api-key.policy.ts'
import type { ApiKeyScope } from '#domain/permissions.ts'
import type { Clock } from '#domain/ports.ts'
import type { ProviderResult } from '#domain/provider-result.ts'
import type { RateWindow } from '#domain/rate-window.ts'
import type { Actor, RequestParts, Scope } from '#domain/scope.ts'
import type { FoundWithKey } from '#domain/verification/stored-verification.ts'
import type { CallbackResult } from './verify/callback-result.ts'

/** What the tenant API needs from its host. */
export interface RestServices {
  clock: Clock
  /** Creates the scope of a request; `now` is the request's one time. */
  scopeFor<By extends Actor>(actor: By, now: Date, request: RequestParts): Scope<By>
  /** What the verbs that the request runs have of it. */
  requestOf(context: Context): RequestParts
  admission: KeyAdmission
  callbacks: ProviderCallbacks
  countCallback(result: CallbackResult): void
  /** Has a callback wait for its turn, which comes sooner if it is authentic. Throws `INTERNAL_ERROR` if that gets none. */
  takeCallbackPlace(context: Context, isAuthentic: boolean): Promise<void>
  /** Prepares what an endpoint sends after success. */
  responder(response: JsonResponse): SendJson
  /** Queues the use of a key for recording; doesn't wait. */
  recordKeyUse(key: TenantKey, now: Date): void
  /** Adds fields to the request's line in the access log. */
  describeRequest(context: Context, fields: RequestDescription): void
}

export interface RequestDescription {
  tenantId?: string
  apiKeyId?: string
  verificationId?: string
  route?: string
  /** Why a request was rejected, where its code doesn't say it. */
  reason?: 'credentials' | 'signature'
}

export interface AdmissionRequest {
  /** SHA-256 of the key's value, hex. */
  keyHash: string
  scope: ApiKeyScope
  rateClass: RateClass
  now: Date
  /** Names the verification that the request is about, to be looked up with a key that was found before. */
  nameVerification?: (() => Promise<string | undefined>) | undefined
}

export interface TenantKey {
  tenantId: string
  apiKeyId: string
}

/** Only what is admitted has a window. The key is undefined where it is unknown, `found` where no verification was named. */
export type Admission =
  | { admitted: true; key: TenantKey; window: RateWindow; found: FoundWithKey | undefined }
  | { admitted: false; key: TenantKey | undefined; error: AdmissionError }

/**
 * Decides whether a request with an API key is admitted, and counts it in the key's window. Throws `DATABASE_ERROR`, and
 * `REDIS_ERROR` for a request that would be admitted.
 */
export interface KeyAdmission {
  admit(request: AdmissionRequest): Promise<Admission>
}

/** Authenticates and reads the identity provider's callbacks. */
export interface ProviderCallbacks {
  /**
   * Whether the headers name our integration and have a well-formed signature. Without these a callback can't be
   * authentic, whatever its body.
   */
  hasCredentials(headers: IncomingHttpHeaders): boolean
  /** Whether the provider signed exactly these bytes. Call it before parsing them. */
  isAuthentic(headers: IncomingHttpHeaders, rawBody: Buffer): boolean
  /**
   * The result in an authentic, parsed body, without personal data; undefined for an unknown code or shape, which
   * is not an error and changes nothing. Never throws.
   */
  read(body: unknown, now: Date): ProviderResult | undefined
  /** The status in a body that isn't understood, for the log: at most 40 ASCII characters. Never throws. */
  readUnknownStatus(body: unknown): string | undefined
}

/** One kind of response: its status, and what it has beside the headers of every response, or instead of them. */
export interface JsonResponse {
  status: number
  headers: Readonly<Record<string, string>>
}

/** Sends a result, with headers that differ from one response to the next. */
export type SendJson = (ctx: Context, result: unknown, headers?: Readonly<Record<string, string>>) => void
