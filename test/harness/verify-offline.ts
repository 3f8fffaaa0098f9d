import { inflateSync } from 'node:zlib'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'

export interface OfflineCheck {
  token: string
  issuer: string
  /** The tenant id. */
  audience: string
  now: Date
  jwks: JSONWebKeySet
  /** Returns the status list at an address. */
  fetchList: (uri: string) => Promise<string>
}

/** Verifies a token as somebody does who has only the public keys, the status lists and a JWT library. Returns the reason. */
export async function verifyOffline(check: OfflineCheck): Promise<string> {
  const { token, issuer, audience, now: currentDate, jwks } = check
  const keys = createLocalJWKSet(jwks)
  try {
    const options = {
      issuer,
      audience,
      currentDate,
      algorithms: ['ES256'],
      typ: 'JWT',
      requiredClaims: ['exp'],
    }
    const { payload } = await jwtVerify<{ over18?: unknown; status?: unknown }>(token, keys, options)
    const reference = referenceIn(payload.status)
    if (!reference) return 'TOKEN_MALFORMED'
    const status = await readStatus(check, reference, keys)
    if (status !== 0) return status === 1 ? 'TOKEN_REVOKED' : 'STATUS_LIST_UNUSABLE'
    return payload.over18 === true ? 'OK' : 'UNDERAGE_OR_UNKNOWN'
  } catch (error) {
    return reasonOf(error)
  }
}

interface StatusReference {
  idx: number
  uri: string
}

function referenceIn(status: unknown): StatusReference | undefined {
  const reference = (status as { status_list?: StatusReference } | undefined)?.status_list
  return reference && reference.idx >= 0 ? reference : undefined
}

/** The bit at the index; undefined if the list must not be used, or is shorter. */
export async function readStatus(
  { issuer, now: currentDate, fetchList }: Pick<OfflineCheck, 'issuer' | 'now' | 'fetchList'>,
  { idx, uri }: StatusReference,
  keys: JWTVerifyGetKey,
): Promise<number | undefined> {
  if (!uri.startsWith(`${issuer}/`)) return undefined
  try {
    const options = { algorithms: ['ES256'], typ: 'statuslist+jwt', subject: uri, currentDate }
    const { payload } = await jwtVerify<{ status_list: { bits: number; lst: string } }>(
      await fetchList(uri),
      keys,
      { ...options, requiredClaims: ['iat', 'exp'] },
    )
    const bytes = inflateSync(Buffer.from(payload.status_list.lst, 'base64url'))
    const byte = bytes[idx >> 3]
    return byte === undefined ? undefined : (byte >> (idx & 7)) & 1
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

const reasons: Record<string, string> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'ALGORITHM_NOT_ALLOWED',
  ERR_JOSE_NOT_SUPPORTED: 'ALGORITHM_NOT_ALLOWED',
  ERR_JWKS_NO_MATCHING_KEY: 'KEY_UNKNOWN',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'KEY_UNKNOWN',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'SIGNATURE_INVALID',
  ERR_JWT_EXPIRED: 'TOKEN_EXPIRED',
}

const claimReasons: Record<string, string> = {
  iss: 'ISSUER_MISMATCH',
  aud: 'AUDIENCE_MISMATCH',
  typ: 'ALGORITHM_NOT_ALLOWED',
}

function reasonOf(error: unknown): string {
  if (!(error instanceof errors.JOSEError)) throw error
  const claim = error instanceof errors.JWTClaimValidationFailed ? claimReasons[error.claim] : undefined
  return claim ?? reasons[error.code] ?? 'TOKEN_MALFORMED'
}
