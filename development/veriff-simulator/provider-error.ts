/** An error response in the provider's format: `{status: "fail", code, message}`. */
export class ProviderError extends Error {
  readonly status: number
  readonly body: Record<string, unknown>

  /** `code`: one of the provider's documented ones. */
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.body = { status: 'fail', code, message }
  }
}
