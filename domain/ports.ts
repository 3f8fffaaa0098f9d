/** The interfaces that the domain requires of its host. `server` has the adapters. */

import type { ProviderName, ProviderResult } from './provider-result.ts'
import type { TestChoice } from './simulated-session/test-outcome.ts'
import type { AgeVerdict } from './verification/age.policy.ts'
import type { VerificationStatus } from './verification-status.ts'

/** Returns the current time; injected so that tests can set it. */
export type Clock = () => Date

export interface ProviderSessionRequest {
  verificationId: string
  /** Where the provider redirects the user's browser afterwards: to the service, which sends it on. */
  callback: string | undefined
  /** Of the user's browser, as the tenant names it. */
  userAgent?: string | null
}

export interface ProviderSession {
  providerSessionId: string
  /** Opens the hosted flow. Anyone who has it can use it, so it is as confidential as a credential. */
  sessionUrl: string
}

/** The identity provider. Every call has a deadline and throws `ProviderUnavailable` when it fails. */
export interface IdentityProvider {
  readonly name: ProviderName
  createSession(request: ProviderSessionRequest): Promise<ProviderSession>
  /**
   * The current decision of the verification's session; undefined while there is none, or when the provider doesn't know the
   * session.
   */
  fetchDecision(providerSessionId: string, verificationId: string): Promise<ProviderResult | undefined>
  /**
   * Deletes a session, with all that the provider stores of the person. `unknown`: there is no such session, any more.
   * Also throws `DeletionRejected`.
   */
  deleteSession(providerSessionId: string): Promise<'deleted' | 'unknown'>
}

/** The provider of test verifications, at which a test chooses what it decides. An erasure deletes its sessions, which are rows here. */
export interface TestProvider extends Omit<IdentityProvider, 'deleteSession'> {
  /** Decides the session. Returns the result, if it has one to report; undefined if there is no such session. */
  chooseOutcome(
    providerSessionId: string,
    choice: Omit<TestChoice, 'lostCallback'>,
  ): Promise<{ result: ProviderResult | undefined } | undefined>
}

/**
 * Why a call to the provider failed: it did not respond in time, no connection was possible or it was lost, the provider
 * rejected the request (status 4xx), or it failed itself (5xx). Or the response was not understood: it isn't in the provider's
 * form, and so a proxy's perhaps; it is, but its content or signature can't be right; or its status is unknown.
 */
export const providerFailures = [
  'timeout',
  'unreachable',
  'rejected',
  'server_error',
  'foreign_response',
  'invalid_response',
  'unknown_status',
] as const
export type ProviderFailure = (typeof providerFailures)[number]

/** The provider was unreachable, rejected the request, or its response was not understood. */
export class ProviderUnavailable extends Error {
  readonly failure: ProviderFailure
  /** How long the provider asks to be sent no requests; undefined if it doesn't. */
  readonly retryAfterMs: number | undefined

  constructor(failure: ProviderFailure, reason: string, retryAfterMs?: number) {
    super(reason)
    this.name = 'ProviderUnavailable'
    this.failure = failure
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * Why the provider keeps a session: the person is in the middle of it, too many were deleted lately, or the integration
 * may not delete any.
 */
export type DeletionRejection = 'in_progress' | 'rate_limited' | 'not_enabled'

/** The provider was reached, and keeps the session. */
export class DeletionRejected extends Error {
  readonly rejection: DeletionRejection

  constructor(rejection: DeletionRejection) {
    super(`The provider did not delete the session: ${rejection}`)
    this.name = 'DeletionRejected'
    this.rejection = rejection
  }
}

/** Counts requests in fixed windows of one minute. Throws `REDIS_ERROR` if the counter is unavailable. */
export interface RequestCounter {
  /** Counts a request in the window of `now`, and returns how many that window has now. `bucket` is stored: it names nobody. */
  count(bucket: string, now: Date): Promise<number>
}

/** What is due for a worker: deliveries, or polls of the provider. */
export type WorkKind = 'deliveries' | 'polling'

/** Wakes the worker of this process after a commit; those of others look for themselves. */
export type WakeWorker = (work: WorkKind) => void

/** Counts what happens, for monitoring. Calls return immediately and never throw. */
export interface DomainMetrics {
  verificationStarted(): void
  verificationCompleted(status: VerificationStatus): void
  /** An approval, with what the provider's evidence says of the age. */
  ageChecked(approval: { provider: ProviderName; test: boolean } & AgeVerdict): void
  /** A decision whose time is before its verification or in the future. */
  decisionTimeWrong(): void
  /** Deliveries that are not attempted any more because 24 hours have passed. */
  deliveriesExpired(count: number): void
}

/** For programs that nobody monitors. */
export const noMetrics: DomainMetrics = {
  verificationStarted() {},
  verificationCompleted() {},
  ageChecked() {},
  decisionTimeWrong() {},
  deliveriesExpired() {},
}

/** Encrypts secrets at rest. The ciphertext is bound to `purpose` and can't be opened for another one. */
export interface Cipher {
  /** Encrypts with the newest key. */
  seal(plaintext: string, purpose: string): Buffer
  /** Decrypts with the key that encrypted. Throws if it isn't configured. */
  open(sealed: Buffer, purpose: string): string
  /** What all ciphertext of the newest key begins with; other ciphertext is due for re-encryption. */
  readonly newestPrefix: Buffer
}
