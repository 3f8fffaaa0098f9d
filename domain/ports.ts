/**
 * What lies outside the product, as the product sees it. Each port has one real adapter in `server`,
 * and an in-process one where the embedded start needs it.
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { ApiKeyScope, RateClass } from './api-key/api-key.policy.ts'
import type { KeyAccess } from './api-key/key-access.ts'
import type { ProviderResult } from './verification/provider-result.ts'

/** Reads the time; injected so that tests can set it. */
export type Clock = () => Date

/** A fixed window of one minute, after one request was counted in it. */
export interface RateWindow {
  /** Requests allowed in the window. */
  limit: number
  /** Requests left in it, never below 0. */
  remaining: number
  /** When it ends. */
  resetsAt: Date
  /** Whether this request was one too many. */
  exceeded: boolean
}

/** Counts requests in fixed windows. Throws a `REDIS_ERROR` refusal when the counter is away. */
export interface RateLimiter {
  hit(bucket: string, limit: number, now: Date): Promise<RateWindow>
}

export interface AdmissionRequest {
  /** SHA-256 of the key's value, hex. */
  keyHash: string
  scope: ApiKeyScope
  rateClass: RateClass
  now: Date
}

/** What is known of the key (undefined: no such key), and its window where the request was admitted and counted. */
export interface Admission {
  access: KeyAccess | undefined
  window: RateWindow | undefined
}

/**
 * Looks a key up, with its tenant and plan, and counts the request in its window, in one round trip where
 * that can be had. A change that has been announced by `invalidateTenant` or `invalidateAll` holds from the moment
 * that the call has returned, in every process.
 */
export interface KeyAdmission {
  admit(request: AdmissionRequest): Promise<Admission>
  invalidateTenant(tenantId: string): Promise<void>
  invalidateAll(): Promise<void>
}

export interface ProviderSessionRequest {
  verificationId: string
  /** Where the provider sends the user's browser afterwards; https. */
  callback: string | undefined
}

export interface ProviderSession {
  providerSessionId: string
  /** Opens the hosted flow: a secret of the end user's. */
  sessionUrl: string
}

/** The identity provider. Every call ends within its deadline and throws `ProviderUnavailable` if it fails. */
export interface IdentityProvider {
  createSession(request: ProviderSessionRequest): Promise<ProviderSession>
  /** The decision as it stands, or undefined while there is none (or the session is unknown there). */
  fetchDecision(providerSessionId: string): Promise<ProviderResult | undefined>
}

/** The provider could not be reached, refused, or answered something that can't be read. */
export class ProviderUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'ProviderUnavailable'
  }
}

/** Reads what the provider sends to the callback route. */
export interface ProviderCallbacks {
  /** Whether the provider signed these very bytes; to be asked before they are parsed. */
  authentic(headers: IncomingHttpHeaders, rawBody: Buffer): boolean
  /** What the body says; undefined for a code or shape that is not known, which changes nothing. Never throws. */
  read(body: unknown, now: Date): ProviderResult | undefined
}

/** What a worker is notified of: deliveries that are due, or a poll of the provider that is due. */
export const workKinds = ['deliveries', 'polling'] as const
export type WorkKind = (typeof workKinds)[number]

/** Wakes workers in all processes after a commit. A lost notification is compensated by their polling. */
export interface WorkerNotifier {
  notify(work: WorkKind): void
}

/** Encrypts secrets at rest. `purpose` is bound to the ciphertext, so one can't be put in another's place. */
export interface Cipher {
  seal(plaintext: string, purpose: string): Buffer
  open(sealed: Buffer, purpose: string): string
}
