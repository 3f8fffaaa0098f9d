/** An event as it arrived. */
export interface ReceivedEvent {
  /** ISO 8601. */
  receivedAt: string
  /** Whether it was signed with a secret that its tenant's receivers may know. */
  signature: 'valid' | 'invalid'
  /** The `x-webhook-*` headers, their names in lower case. */
  headers: Record<string, string>
  /** The raw body as JSON; null where it is none. */
  body: unknown
  /** The bytes that the signature is over, as UTF-8. */
  raw: string
}
