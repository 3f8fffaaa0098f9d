import type { TLSSocket } from 'node:tls'
import type { TlsFault } from '#domain/webhook/delivery-failure.ts'

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
