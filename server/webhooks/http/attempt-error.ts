import type { TlsFault } from './tls-fault.ts'

/** Ends an attempt. `cause` is for debugging; only the reason and the fault are logged. */
export class AttemptError extends Error {
  readonly reason: FailureReason
  /** Of the reason `tls`. */
  readonly fault: TlsFault | undefined

  constructor(reason: FailureReason, { cause, fault }: { cause?: unknown; fault?: TlsFault } = {}) {
    super(`Attempt failed: ${reason}`, { cause })
    this.name = 'AttemptError'
    this.reason = reason
    this.fault = fault
  }
}

/** Why an attempt failed: a closed list, used in logs and metrics. */
export const failureReasons = [
  /** The receiver responded with a status other than 2xx. */
  'status',
  /** The deadline passed while connecting, or before the response. */
  'timeout',
  /** The host name has no address, or its name servers didn't respond in time. */
  'dns',
  /** No TLS connection with a certificate that is valid for the host name. */
  'tls',
  /** No TCP connection, or it closed before an HTTP response. */
  'connect',
  /** What arrived has no HTTP status. */
  'malformed_response',
  /** The URL, or an address that its host name resolves to, isn't public. */
  'blocked_address',
] as const
export type FailureReason = (typeof failureReasons)[number]
