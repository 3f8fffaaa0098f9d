/** Why an attempt failed: a closed list, used in logs and metrics. */
export type FailureReason =
  /** The receiver answered with a status that is not 2xx. */
  | 'status'
  /** The deadline passed. */
  | 'timeout'
  /** The name has no address, or its name servers gave no answer. */
  | 'dns'
  /** No TLS connection with a valid certificate for the host's name. */
  | 'tls'
  /** No TCP connection, or it ended without a readable HTTP answer. */
  | 'connect'
  /** The URL, or an address that its name stands for, is not public. */
  | 'blocked_address'

/** Ends an attempt. `cause` is for debugging; only the reason is stored. */
export class AttemptFailure extends Error {
  readonly reason: FailureReason

  constructor(reason: FailureReason, cause?: unknown) {
    super(`The attempt failed: ${reason}`, { cause })
    this.name = 'AttemptFailure'
    this.reason = reason
  }
}
