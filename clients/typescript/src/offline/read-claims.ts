import { base64url, type CompactVerifyGetKey, compactVerify, errors } from 'jose'
import { decodeUtf8, isRecord, parseJson } from '../json.ts'
import { Rejection } from './rejection.ts'

export interface Expected {
  typ: 'JWT' | 'statuslist+jwt' | 'age-evidence+jwt'
  iss: string
  aud?: string
}

/** In base64url without padding, white space or other unused bits than zeros, so that bytes have one spelling. */
const bytesPattern = '(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?'
const bytesForm = new RegExp(`^${bytesPattern}$`)
const compactForm = new RegExp(`^${bytesPattern}\\.${bytesPattern}\\.${bytesPattern}$`)

/**
 * The claims of a JSON Web Token that the service signed. Throws a `Rejection` by the first check that fails, or what
 * `keys` throws. `jose` alone would take other spellings and claims than the service.
 */
export async function readClaims(
  token: string,
  keys: CompactVerifyGetKey,
  { typ, iss, aud }: Expected,
  now: Date,
): Promise<Record<string, unknown> & { exp: number }> {
  if (!compactForm.test(token)) throw new Rejection('TOKEN_MALFORMED')
  const header = parseRecord(decodeBytes(token.split('.')[0]!))
  if (header.alg !== 'ES256' || header.typ !== typ || 'crit' in header)
    throw new Rejection('ALGORITHM_NOT_ALLOWED')
  if (typeof header.kid !== 'string') throw new Rejection('KEY_UNKNOWN')
  const claims = parseRecord(await verifiedPayload(token, keys))
  // Evidence is kept for years.
  const exp = typ === 'age-evidence+jwt' ? Number.POSITIVE_INFINITY : claims.exp
  if (typeof exp !== 'number') throw new Rejection('TOKEN_MALFORMED')
  if (claims.iss !== iss) throw new Rejection('ISSUER_MISMATCH')
  if (aud !== undefined && claims.aud !== aud) throw new Rejection('AUDIENCE_MISMATCH')
  if (exp * 1000 <= now.getTime()) throw new Rejection('TOKEN_EXPIRED')
  return { ...claims, exp }
}

/** The bytes of a text in base64url. Throws a `TypeError` for another spelling of them. */
export function decodeBytes(text: string): Uint8Array {
  if (!bytesForm.test(text)) throw new TypeError('it is not in base64url')
  return base64url.decode(text)
}

async function verifiedPayload(token: string, keys: CompactVerifyGetKey): Promise<Uint8Array> {
  try {
    return (await compactVerify(token, keys, { algorithms: ['ES256'] })).payload
  } catch (error) {
    const isUnknown =
      error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys
    if (isUnknown) throw new Rejection('KEY_UNKNOWN')
    const isInvalid =
      error instanceof errors.JWSInvalid || error instanceof errors.JWSSignatureVerificationFailed
    throw isInvalid ? new Rejection('SIGNATURE_INVALID') : error
  }
}

function parseRecord(bytes: Uint8Array): Record<string, unknown> {
  const value = parseJson(decodeUtf8(bytes) ?? '')
  if (!isRecord(value)) throw new Rejection('TOKEN_MALFORMED')
  return value
}
