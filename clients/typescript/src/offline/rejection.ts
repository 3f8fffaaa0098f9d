// Types of the package's entry: a module without jose, which CommonJS could not import the types of.

/** A signed document is not valid. The reasons are those of the test vectors. */
export class Rejection extends Error {
  readonly reason: DocumentReason

  constructor(reason: DocumentReason) {
    super(reason)
    this.reason = reason
  }
}

export type DocumentReason =
  | 'TOKEN_MALFORMED'
  | 'ALGORITHM_NOT_ALLOWED'
  | 'KEY_UNKNOWN'
  | 'SIGNATURE_INVALID'
  | 'ISSUER_MISMATCH'
  | 'AUDIENCE_MISMATCH'
  | 'TOKEN_EXPIRED'
