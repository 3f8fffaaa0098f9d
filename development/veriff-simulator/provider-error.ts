/** The provider's documented error codes, each with its HTTP status. */
const errors = {
  404: [404, 'Session not found.'],
  1001: [400, 'Query ID has an invalid length.'],
  1002: [400, 'Query ID must be a valid UUID V4.'],
  1102: [400, 'Mandatory parameters are missing from the request.'],
  1104: [400, 'Request includes invalid parameters.'],
  1301: [400, 'Session deletion is not enabled for this integration.'],
  1302: [400, 'Only HTTPS return URLs are allowed.'],
  1306: [400, 'The session is in progress.'],
  1500: [400, 'VendorData cannot be more than 1000 characters.'],
  1501: [400, 'VendorData must be a string.'],
  1801: [401, 'Mandatory X-AUTH-CLIENT header containing the API key is missing from the request.'],
  1802: [401, 'X-AUTH-CLIENT header must be a valid UUID.'],
  1803: [401, 'No integration with this API key was found.'],
  1812: [401, 'X-HMAC-SIGNATURE header must be a valid SHA-256 hash.'],
  1818: [401, 'X-HMAC-SIGNATURE does not match the query ID.'],
  1819: [401, 'X-HMAC-SIGNATURE does not match the request body.'],
} as const

export type ProviderErrorCode = keyof typeof errors

/** An error response in the provider's format: `{status: "fail", code, message}`, the code as a string. */
export class ProviderError extends Error {
  readonly status: number
  readonly body: Record<string, unknown>

  constructor(code: ProviderErrorCode) {
    const [status, message] = errors[code]
    super(message)
    this.status = status
    this.body = { status: 'fail', code: String(code), message }
  }
}
