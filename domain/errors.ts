import { type ErrorCode, errorCatalogue } from './error-codes.ts'
import type { DetailsOf, ErrorDetails } from './error-details.ts'

/** An expected failure. `message` and `details` are public; `cause` is not. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined

  constructor(...[code, options = {}]: CodeAndOptions[ErrorCode]) {
    super(options.message ?? errorCatalogue[code], { cause: options.cause })
    this.name = 'DomainError'
    this.code = code
    this.details = options.details
  }
}

type CodeAndOptions = { [Code in ErrorCode]: [code: Code, options?: DomainErrorOptions<Code>] }

export interface DomainErrorOptions<Code extends ErrorCode> {
  /** Replaces the catalogue's public message where a more specific one helps. */
  message?: string
  details?: DetailsOf<Code>
  /** The private reason; logged, never sent. */
  cause?: unknown
}
