import type { AttemptResult, WebhookRequest, WebhookSender } from '#server/webhooks/http/webhook-sender.ts'

interface FakeSender extends WebhookSender {
  /** All requests, in the order in which they were sent. */
  requests: WebhookRequest[]
  /** Requests that have no result yet. */
  inFlight: number
}

export const success: AttemptResult = { ok: true, status: 204, durationMs: 1 }
export const serverError: AttemptResult = { ok: false, reason: 'status', status: 500, durationMs: 1 }
export const expired: AttemptResult = { ok: false, reason: 'tls', fault: 'expired', durationMs: 1 }
export const timeout: AttemptResult = { ok: false, reason: 'timeout', durationMs: 5_000 }

/** Sends nothing; `respond` decides the result of each attempt, success by default. */
export function createFakeSender(
  respond: (request: WebhookRequest) => AttemptResult | Promise<AttemptResult> = () => success,
): FakeSender {
  const sender: FakeSender = {
    requests: [],
    inFlight: 0,
    async send(request) {
      sender.requests.push(request)
      sender.inFlight += 1
      try {
        return await respond(request)
      } finally {
        sender.inFlight -= 1
      }
    },
    close: async () => {},
  }
  return sender
}
