import { signEvent } from './signature.policy.ts'

/** The headers that are sent with an event. `body` is exactly what is sent. */
export function eventHeaders(type: string, body: Buffer | string, secret: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'age-verification-service',
    'X-Webhook-Event': type,
    'X-Webhook-Signature': signEvent(body, secret),
  }
}
