/** Ends an attempt. `cause` is for debugging; only the reason is logged and counted. */
export class AttemptError extends Error {
  readonly reason: FailureReason

  constructor(reason: FailureReason, cause?: unknown) {
    super(`Attempt failed: ${reason}`, { cause })
    this.name = 'AttemptError'
    this.reason = reason
  }
}

/** Why an attempt failed: a closed list, used in logs and metrics. */
export const failureReasons = [
  /** The receiver responded with a status other than 2xx. */
  'status',
  /** The deadline passed. */
  'timeout',
  /** The host name has no address, or its name servers didn't respond. */
  'dns',
  /** No TLS connection with a certificate that is valid for the host name. */
  'tls',
  /** No TCP connection, or it closed before a readable HTTP response. */
  'connect',
  /** The URL, or an address that its host name resolves to, isn't public. */
  'blocked_address',
] as const
export type FailureReason = (typeof failureReasons)[number]
