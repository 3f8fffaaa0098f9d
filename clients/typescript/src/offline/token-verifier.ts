import { type Fetch, runtimeFetch } from '../fetch-within.ts'
import { isRecord } from '../json.ts'
import { withoutTrailingSlash } from '../service-address.ts'
import { type Jwt, parseJwt } from './jwt.ts'
import { KeySet } from './key-set.ts'
import { StatusLists, type StatusReference } from './status-list.ts'

export interface TokenVerifierOptions {
  /** The `iss` of tokens: the public address of the service. */
  issuer: string
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
  /** Your tenant id. */
  audience: string
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
  readonly #keys: KeySet
  readonly #statusLists: StatusLists

  constructor({
    now = () => new Date(),
    fetch = runtimeFetch,
    timeoutMs = 10_000,
    ...addresses
  }: TokenVerifierOptions) {
    const issuer = withoutTrailingSlash('issuer', addresses.issuer)
    const baseUrl = withoutTrailingSlash('baseUrl', addresses.baseUrl ?? issuer)
    this.#issuer = issuer
    this.#now = now
    this.#keys = new KeySet(`${baseUrl}/.well-known/jwks.json`, { fetch, timeoutMs })
    this.#statusLists = new StatusLists({ issuer, baseUrl, fetch, timeoutMs, keys: this.#keys, now })
  }

  /** Throws a `ServiceConnectionError` if the keys or the status list can't be read, so that nothing can be decided. */
  async verify(token: string, options: VerifyTokenOptions): Promise<OfflineValidation> {
    if (!options.audience) throw new TypeError('audience is missing: pass your tenant id')
    const jwt = parseJwt(token)
    if (!jwt) return invalid('TOKEN_MALFORMED')
    const fault = await this.#faultOf(jwt, options)
    if (fault) return invalid(fault)
    return { valid: true, over18: true, reason: 'OK', claims: jwt.payload as unknown as TokenClaims }
  }

  /** Nothing of the payload is used before the signature is verified. */
  async #faultOf(
    jwt: Jwt,
    { audience, checkRevocation = true }: VerifyTokenOptions,
  ): Promise<OfflineReason | undefined> {
    if (!isAllowed(jwt.header)) return 'ALGORITHM_NOT_ALLOWED'
    const isSigned = await this.#keys.verify(jwt)
    if (isSigned === undefined) return 'KEY_UNKNOWN'
    if (!isSigned) return 'SIGNATURE_INVALID'
    const { iss, aud, exp, over18, status } = jwt.payload
    if (iss !== this.#issuer) return 'ISSUER_MISMATCH'
    if (aud !== audience) return 'AUDIENCE_MISMATCH'
    if (typeof exp !== 'number') return 'TOKEN_MALFORMED'
    if (exp * 1000 <= this.#now().getTime()) return 'TOKEN_EXPIRED'
    if (checkRevocation) {
      const reference = statusReference(status)
      if (!reference) return 'TOKEN_MALFORMED'
      if (await this.#statusLists.isRevoked(reference)) return 'TOKEN_REVOKED'
    }
    return over18 === true ? undefined : 'UNDERAGE_OR_UNKNOWN'
  }
}

function invalid(reason: OfflineReason): OfflineValidation {
  return { valid: false, over18: false, reason }
}

/** A status list is signed with the same keys, but has another type. */
function isAllowed({ alg, typ = 'JWT', crit }: Jwt['header']): boolean {
  return alg === 'ES256' && typ === 'JWT' && crit === undefined
}

function statusReference(status: unknown): StatusReference | undefined {
  const reference = isRecord(status) ? status.status_list : undefined
  if (!isRecord(reference) || typeof reference.uri !== 'string') return undefined
  const { idx, uri } = reference
  return Number.isSafeInteger(idx) && (idx as number) >= 0 ? { idx: idx as number, uri } : undefined
}
