import type { FailureReason, TlsFault } from '#domain/webhook/delivery-failure.ts'

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
