import { type Bytes, fromBase64Url } from '../bytes.ts'
import { decodeUtf8, isRecord, parseJson } from '../json.ts'

/** A JWT in compact form (RFC 7519), whose signature is not verified. */
export interface Jwt {
  header: Record<string, unknown>
  payload: Record<string, unknown>
  signedBytes: Bytes
  signature: Bytes
}

/** Undefined if it is no signed JWT: whatever a request has in place of a token. */
export function parseJwt(text: unknown): Jwt | undefined {
  const parts = typeof text === 'string' ? text.split('.') : []
  if (parts.length !== 3) return undefined
  const [header, payload] = parts.slice(0, 2).map(readObject)
  const signature = fromBase64Url(parts[2]!)
  if (!header || !payload || !signature) return undefined
  return { header, payload, signedBytes: new TextEncoder().encode(`${parts[0]}.${parts[1]}`), signature }
}

function readObject(part: string): Record<string, unknown> | undefined {
  const bytes = fromBase64Url(part)
  const value = bytes && parseJson(decodeUtf8(bytes) ?? '')
  return isRecord(value) ? value : undefined
}
