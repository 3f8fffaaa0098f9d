import type { CompactVerifyGetKey } from 'jose'
import { type Fetch, runtimeFetch } from '../fetch-within.ts'
import { isRecord } from '../json.ts'
import { assertMaxAge, assertMilliseconds, assertText, withoutTrailingSlash } from '../options.ts'
import { isTooOld, type TooOld } from '../proof-age.ts'
import { createKeySet } from './key-set.ts'
import { documentReader, unusable } from './published-document.ts'
import { readClaims } from './read-claims.ts'
import { type DocumentReason, Rejection } from './rejection.ts'
import { StatusLists } from './status-lists.ts'
import type { StatusReference } from './status-reference.ts'

export {
  type EvidenceClaims,
  type EvidenceValidation,
  type VerifyEvidenceOptions,
  verifyEvidence,
} from './verify-evidence.ts'

export interface TokenVerifierOptions {
  /**
   * The `iss` of tokens: the public address of the service, and for a test tenant that address and `/test`. The
   * constructor refuses `undefined`, of a variable that is not set.
   */
  issuer: string | undefined
  /** Where the service is reached for its keys and lists; `issuer` by default. */
  baseUrl?: string | undefined
  /** Replaces the runtime's. */
  fetch?: Fetch | undefined
  /** For each document, in milliseconds; 10,000 by default. */
  timeoutMs?: number | undefined
  /** The clock; the system's by default. */
  now?: (() => Date) | undefined
}

export interface VerifyTokenOptions {
  /** Your tenant id. `undefined`, of a variable that is not set, is refused. */
  audience: string | undefined
  /** Whether to read the status list. True by default; without it a revoked token is valid until it expires. */
  checkRevocation?: boolean | undefined
  /** How long ago the check may have been, by the claim `auth_time`; as long as the token lives by default. */
  maxAgeSeconds?: number | undefined
}

/** The claims of a token. */
export interface TokenClaims {
  iss: string
  /** The verificationId. */
  sub: string
  /** The tenant id. */
  aud: string
  jti: string
  /** Seconds since the epoch. */
  iat: number
  /** Seconds since the epoch. */
  exp: number
  /** When the provider decided, in seconds since the epoch: the age of the proof. */
  auth_time: number
  over18: boolean
  /** Where its revocation is published. */
  status: { status_list: StatusReference }
}

/** Why a token is not valid. Those that `validateToken` has, too, mean the same there. */
export type OfflineReason = DocumentReason | 'TOKEN_REVOKED' | 'UNDERAGE_OR_UNKNOWN' | TooOld

/** `valid`, `over18` and the reason `OK` are true together or not at all. */
export type OfflineValidation =
  | { valid: true; over18: true; reason: 'OK'; claims: TokenClaims }
  | { valid: false; over18: false; reason: OfflineReason; claims?: undefined }

/** No token of the service is as long. */
const tokenCharactersMax = 8_192

/**
 * Validates tokens without a request for each, and without an API key: with the service's public keys, cached for a
 * minute, and its status lists, cached for their `ttl`. Use one verifier for all tokens.
 */
export class TokenVerifier {
  readonly #issuer: string
  readonly #now: () => Date
  readonly #keys: CompactVerifyGetKey
  readonly #statusLists: StatusLists

  constructor({
    now = () => new Date(),
    fetch = runtimeFetch,
    timeoutMs = 10_000,
    ...addresses
  }: TokenVerifierOptions) {
    assertMilliseconds('timeoutMs', timeoutMs, 1)
    const issuer = withoutTrailingSlash('issuer', addresses.issuer)
    const baseUrl = withoutTrailingSlash('baseUrl', addresses.baseUrl ?? issuer)
    const read = documentReader(baseUrl, fetch, timeoutMs)
    this.#issuer = issuer
    this.#now = now
    this.#keys = createKeySet(baseUrl, read)
    this.#statusLists = new StatusLists({ issuer, read, keys: this.#keys, now })
  }

  /** Throws a `ServiceConnectionError` if the keys or the status list can't be read, so that nothing can be decided. */
  async verify(
    token: string,
    { audience, checkRevocation = true, maxAgeSeconds }: VerifyTokenOptions,
  ): Promise<OfflineValidation> {
    if (!audience) throw new TypeError('audience is missing: pass your tenant id')
    assertText('audience', audience)
    assertMaxAge(maxAgeSeconds)
    if (typeof token !== 'string' || token.length > tokenCharactersMax) return invalid('TOKEN_MALFORMED')
    try {
      const expected = { typ: 'JWT', iss: this.#issuer, aud: audience } as const
      const claims = await readClaims(token, this.#keys, expected, this.#now())
      if (checkRevocation) {
        const reference = statusReference(claims.status)
        if (!reference) return invalid('TOKEN_MALFORMED')
        if (await this.#statusLists.isRevoked(reference)) return invalid('TOKEN_REVOKED')
      }
      if (claims.over18 !== true) return invalid('UNDERAGE_OR_UNKNOWN')
      if (isTooOld(claims, maxAgeSeconds, this.#now())) return invalid('TOKEN_TOO_OLD')
      return { valid: true, over18: true, reason: 'OK', claims: claims as unknown as TokenClaims }
    } catch (error) {
      if (error instanceof Rejection) return invalid(error.reason)
      throw unusable('A published key', error)
    }
  }
}

function invalid(reason: OfflineReason): OfflineValidation {
  return { valid: false, over18: false, reason }
}

function statusReference(status: unknown): StatusReference | undefined {
  const reference = isRecord(status) ? status.status_list : undefined
  if (!isRecord(reference) || typeof reference.uri !== 'string') return undefined
  const { idx, uri } = reference
  return Number.isSafeInteger(idx) && (idx as number) >= 0 ? { idx: idx as number, uri } : undefined
}
