import type { TLSSocket } from 'node:tls'

/** What was wrong with a TLS connection or its certificate: a closed list, used in logs and stored with the delivery. */
export type TlsFault =
  | 'expired'
  | 'not_yet_valid'
  /** The certificate isn't for the URL's host. */
  | 'wrong_host'
  | 'self_signed'
  /** The chain ends at an authority that isn't trusted. */
  | 'unknown_authority'
  /** Only the receiver's own certificate arrived, and its issuer isn't known: mostly, the intermediate is missing. */
  | 'incomplete_chain'
  /** Its purpose, key, signature or name constraints aren't permitted. */
  | 'invalid_certificate'
  /** No TLS, no common version or cipher, a client certificate is required, or the connection closed. */
  | 'handshake'

/** Why the handshake on this socket failed. */
export function tlsFault({ authorizationError: code }: TLSSocket): TlsFault {
  // Node sets it, to the code, when the handshake is complete and the certificate isn't accepted.
  return code ? (certificateFaults[String(code)] ?? 'invalid_certificate') : 'handshake'
}

const certificateFaults: Record<string, TlsFault> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'incomplete_chain',
}
