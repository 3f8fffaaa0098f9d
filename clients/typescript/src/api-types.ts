import type { components } from './generated/openapi.ts'
import type { TooOld } from './proof-age.ts'

type Schemas = components['schemas']

/** What `start` returns. */
export type StartedVerification = Schemas['StartedVerification']

/** The status as it is sent. */
export type VerificationStatusResponse = Schemas['VerificationStatus']

/** The status of a verification, and its result once `completedAt` is set. */
export interface VerificationResult extends Omit<VerificationStatusResponse, 'over18'> {
  /**
   * Whether the person is 18 or over: admit on it. Null until completion, where the age is not known, and once the token
   * is revoked; `tokenRevokedAt` then says when.
   */
  over18: boolean | null
}

/** A verification whose result is final. */
export interface CompletedVerification extends VerificationResult {
  confidence: number
  completedAt: string
}

/** What `GET /verifications` returns. */
export type VerificationChangesPage = Schemas['VerificationChanges']

/** A verification as its last change left it: it was completed, or its token was revoked, as `tokenRevokedAt` says. */
export interface VerificationChange extends Omit<Schemas['VerificationChange'], 'over18'> {
  /** Whether the person is 18 or over: admit on it. Null where the age is not known, and once the token is revoked. */
  over18: boolean | null
  /**
   * Store it when you have handled the change: `changes` goes on behind it. Within a page of 50 it is that of the page, so
   * that a crash there shows up to 49 changes again, and none is missed. Empty in the first page of all.
   */
  cursor: string
}

/** `valid`, `over18` and the reason `OK` are true together or not at all. */
export interface TokenValidation extends Omit<Schemas['TokenValidation'], 'reason'> {
  reason: Schemas['TokenValidation']['reason'] | TooOld
}

/** The event of a webhook. `approved` does not mean 18 or over. */
export type VerificationCompletedEvent = Schemas['VerificationCompletedEvent']

type ErrorBody = Extract<Schemas[keyof Schemas], { error: string; requestId: string }>

/** Codes can be added within v1 of the API. */
export type ErrorCode = ErrorBody['error']

/** What `details` is with a code. */
export type ErrorDetails<Code extends ErrorCode = ErrorCode> = DetailsOf<Extract<ErrorBody, { error: Code }>>

type DetailsOf<Body> = Body extends { details?: unknown }
  ? 'details' extends keyof Body
    ? Body['details']
    : undefined
  : never
