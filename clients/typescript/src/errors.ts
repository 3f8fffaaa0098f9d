import type { ErrorCode, ErrorDetails, VerificationResult } from './api-types.ts'

interface ErrorResponse {
  code: ErrorCode
  message: string | undefined
  /** The HTTP status. */
  status: number
  details: ErrorDetails
  requestId: string
  retryAfterSeconds: number | undefined
}

/**
 * Lets `instanceof` recognise an error of the package's other build, too: a program can have both the ES module and the
 * CommonJS one, whose classes are not the same.
 */
function recognizeAcrossBuilds(errorClass: { prototype: object }, name: string): void {
  const kind = Symbol.for(`@age-verification/client ${name}`)
  Object.defineProperty(errorClass.prototype, kind, { value: true })
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: unknown, error: unknown): boolean {
      if (this === errorClass) return typeof error === 'object' && error !== null && kind in error
      return Function.prototype[Symbol.hasInstance].call(this as () => void, error)
    },
  })
}

/** The service responded with an error. */
export class AgeVerificationError extends Error {
  static {
    recognizeAcrossBuilds(AgeVerificationError, 'AgeVerificationError')
  }

  override readonly name = 'AgeVerificationError'
  readonly code: ErrorCode
  /** The HTTP status. */
  readonly status: number
  /** What the code alone does not say. `is` narrows it. */
  readonly details: ErrorDetails
  /** Identifies the request in the service's log. Quote it when you ask the operator. */
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined

  constructor({ code, message, status, details, requestId, retryAfterSeconds }: ErrorResponse) {
    super(message ? `${code}: ${message}` : code)
    this.code = code
    this.status = status
    this.details = details
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Whether it has the code, and so the details of the code. */
  is<Code extends ErrorCode>(code: Code): this is ErrorWithCode<Code> {
    return this.code === code
  }
}

/** An error that has a code, with its details. */
export interface ErrorWithCode<Code extends ErrorCode>
  extends Omit<AgeVerificationError, 'code' | 'details'> {
  readonly code: Code
  readonly details: ErrorDetails<Code>
}

/**
 * `network`: no connection, or it was lost. `timeout`: no response in time. `invalid_response`: something other than
 * the service responded, such as a proxy.
 */
export type ConnectionFailure = 'network' | 'timeout' | 'invalid_response'

/** The service did not respond. Whether it carried the request out is unknown. */
export class ServiceConnectionError extends Error {
  static {
    recognizeAcrossBuilds(ServiceConnectionError, 'ServiceConnectionError')
  }

  override readonly name = 'ServiceConnectionError'
  readonly reason: ConnectionFailure
  /** The HTTP status of an invalid response. */
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    reason: ConnectionFailure,
    message: string,
    options: { cause?: unknown; status?: number; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.reason = reason
    this.status = options.status
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The verification was not completed, or did not change, within the time that was given. */
export class CompletionTimeoutError extends Error {
  static {
    recognizeAcrossBuilds(CompletionTimeoutError, 'CompletionTimeoutError')
  }

  override readonly name = 'CompletionTimeoutError'
  /** As last read; undefined if it never was. */
  readonly verification: VerificationResult | undefined

  constructor(verification: VerificationResult | undefined, cause?: unknown) {
    const status = verification ? `is still ${verification.status}` : 'could not be read'
    super(`The verification ${status}.`, cause === undefined ? undefined : { cause })
    this.verification = verification
  }
}

/**
 * Retention has deleted changes before `changes` came to them. Ask for the status of what you have not decided; what is not
 * found any more needs a new verification. Then store `cursor`, and go on with it.
 */
export class ChangesMissedError extends Error {
  static {
    recognizeAcrossBuilds(ChangesMissedError, 'ChangesMissedError')
  }

  override readonly name = 'ChangesMissedError'
  /** The time of the last one that is missing. */
  readonly missedBefore: string
  /** Behind what is missing, and behind the changes that came before this error. */
  readonly cursor: string

  constructor(missedBefore: string, cursor: string) {
    super(
      `Changes up to ${missedBefore} were deleted before you read them: ask for what you have not decided.`,
    )
    this.missedBefore = missedBefore
    this.cursor = cursor
  }
}

/** Why a webhook request is not an authentic, recent event of the service. */
export type WebhookRejection =
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'body_malformed'
  | 'timestamp_too_old'

const rejections: Record<WebhookRejection, string> = {
  signature_missing: 'There is no X-Webhook-Signature header.',
  signature_malformed: 'The X-Webhook-Signature header is not one hex-encoded SHA-256 HMAC.',
  signature_mismatch:
    'No secret gives this signature for this body, which must be the raw bytes of the request: decoded, where base64 came.',
  body_malformed: 'The body is not an event.',
  timestamp_too_old: 'The event is older than the tolerance; it may have been recorded and sent again.',
}

/** A webhook request is not to be trusted: respond with `status`, and don't act on it. */
export class WebhookVerificationError extends Error {
  static {
    recognizeAcrossBuilds(WebhookVerificationError, 'WebhookVerificationError')
  }

  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookRejection
  /** To respond with: 400 for a body that is signed but no event, otherwise 401. Express and Koa do so by themselves. */
  readonly status: number
  /** The same for Fastify. */
  readonly statusCode: number
  /** The message has no secret in it and can be sent. */
  readonly expose = true

  constructor(reason: WebhookRejection) {
    super(rejections[reason])
    this.reason = reason
    this.status = reason === 'body_malformed' ? 400 : 401
    this.statusCode = this.status
  }
}
