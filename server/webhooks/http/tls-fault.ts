import type { TLSSocket } from 'node:tls'
import type { TlsFault } from '#domain/webhook/delivery-failure.ts'

/** What a request knows of its socket. */
export interface UsedSocket {
  socket: TLSSocket | undefined
  /** Whether it was connected and the handshake was not complete. */
  isHandshaking: boolean
}

/** Why TLS failed on a socket with this error; undefined if it isn't what failed. */
export function tlsFault(
  error: NodeJS.ErrnoException,
  { socket, isHandshaking }: UsedSocket,
): TlsFault | undefined {
  // Node sets it, to the code, when the handshake is complete and the certificate isn't accepted.
  const unaccepted = socket?.authorizationError
  if (unaccepted) return certificateFaults[String(unaccepted)] ?? 'invalid_certificate'
  // With TLS 1.3 the receiver can reject the handshake after this side has completed it.
  return isHandshaking || error.code?.startsWith('ERR_SSL_') ? 'handshake' : undefined
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
