import { ErrorReply } from 'redis'

/**
 * Whether an error says that Redis is away for now: it can't be reached, or is loading, full or without its replicas. Not for
 * what stays wrong until somebody changes it, such as a password or a certificate.
 */
export function isRedisAway(error: unknown): boolean {
  if (error instanceof ErrorReply) return temporaryReply.test(error.message)
  if (!(error instanceof Error) || error instanceof TypeError) return false
  return !tlsFailure.test((error as NodeJS.ErrnoException).code ?? '')
}

/** Of a server that can be used at other times. */
const temporaryReply = /^(LOADING|OOM|MISCONF|NOREPLICAS|MASTERDOWN|BUSY|ERR max number of clients)/

const tlsFailure = /^(EPROTO|ERR_(TLS|SSL)|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/
