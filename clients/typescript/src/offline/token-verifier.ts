import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { type Fetch, runtimeFetch } from '../fetch-within.ts'
import { isRecord } from '../json.ts'
import { assertMilliseconds, withoutTrailingSlash } from '../options.ts'
import { createKeySet } from './key-set.ts'
import { documentReader } from './published-document.ts'
import { StatusLists } from './status-lists.ts'
import type { StatusReference } from './status-reference.ts'

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
  over18: boolean
  /** Where its revocation is published. */
  status: { status_list: StatusReference }
}

/** Why a token is not valid. The last three are also those of `validateToken`. */
export type OfflineReason =
  | 'TOKEN_MALFORMED'
  | 'ALGORITHM_NOT_ALLOWED'
  | 'KEY_UNKNOWN'
  | 'SIGNATURE_INVALID'
  | 'ISSUER_MISMATCH'
  | 'AUDIENCE_MISMATCH'
  | 'TOKEN_REVOKED'
  | 'TOKEN_EXPIRED'
  | 'UNDERAGE_OR_UNKNOWN'

/** `valid`, `over18` and the reason `OK` are true together or not at all. */
export type OfflineValidation =
  | { valid: true; over18: true; reason: 'OK'; claims: TokenClaims }
  | { valid: false; over18: false; reason: OfflineReason; claims?: undefined }

/**
 * Validates tokens without a request for each, and without an API key: with the service's public keys, cached for a
 * minute, and its status lists, cached for their `ttl`. Use one verifier for all tokens.
 */
export class TokenVerifier {
  readonly #issuer: string
  readonly #now: () => Date
  readonly #keys: JWTVerifyGetKey
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
    { audience, checkRevocation = true }: VerifyTokenOptions,
  ): Promise<OfflineValidation> {
    if (!audience) throw new TypeError('audience is missing: pass your tenant id')
    const expected = { issuer: this.#issuer, audience, typ: 'JWT', requiredClaims: ['exp'] }
    try {
      const options = { ...expected, algorithms: ['ES256'], currentDate: this.#now() }
      const { payload: claims } = await jwtVerify<TokenClaims>(token, this.#keys, options)
      if (checkRevocation) {
        const reference = statusReference(claims.status)
        if (!reference) return invalid('TOKEN_MALFORMED')
        if (await this.#statusLists.isRevoked(reference)) return invalid('TOKEN_REVOKED')
      }
      return claims.over18 === true
        ? { valid: true, over18: true, reason: 'OK', claims }
        : invalid('UNDERAGE_OR_UNKNOWN')
    } catch (error) {
      if (error instanceof errors.JOSEError) return invalid(reasonOf(error))
      throw error
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

/** By the code of an error, or the claim that is not as expected. */
const reasons: Record<string, OfflineReason> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'ALGORITHM_NOT_ALLOWED',
  ERR_JOSE_NOT_SUPPORTED: 'ALGORITHM_NOT_ALLOWED',
  ERR_JWKS_NO_MATCHING_KEY: 'KEY_UNKNOWN',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'KEY_UNKNOWN',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'SIGNATURE_INVALID',
  ERR_JWT_EXPIRED: 'TOKEN_EXPIRED',
  typ: 'ALGORITHM_NOT_ALLOWED',
  iss: 'ISSUER_MISMATCH',
  aud: 'AUDIENCE_MISMATCH',
}

function reasonOf(error: errors.JOSEError): OfflineReason {
  const name = error instanceof errors.JWTClaimValidationFailed ? error.claim : error.code
  return reasons[name] ?? 'TOKEN_MALFORMED'
}
