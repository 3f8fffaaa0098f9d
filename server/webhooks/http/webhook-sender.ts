import type { OutgoingHttpHeaders } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AddressPolicy, createAddressPolicy } from '#domain/network/public-address.policy.ts'
import { webhookUrlViolation } from '#domain/network/webhook-url.policy.ts'
import type { FailureReason, TlsFault } from '#domain/webhook/delivery-failure.ts'
import { trustedAuthorities } from '../../configuration/trusted-authorities.ts'
import { AttemptError } from './attempt-error.ts'
import { postRequest } from './post-request.ts'
import { ReceiverAgent } from './receiver-agent.ts'
import { checkedLookup, createResolver, type NameResolver } from './resolve-receiver.ts'

export interface WebhookSender {
  /** Makes one attempt. Never rejects because of anything that the receiver does. */
  send(request: WebhookRequest): Promise<AttemptResult>
  /** Closes all connections. The worker waits for the attempts in flight before. */
  close(): Promise<void>
}

export interface WebhookRequest {
  tenantId: string
  url: string
  /** The exact bytes that were signed. */
  body: Buffer
  headers: OutgoingHttpHeaders
}

/** `durationMs` is measured from the DNS lookup to the response's headers. */
export type AttemptResult =
  | { ok: true; status: number; durationMs: number }
  | { ok: false; reason: FailureReason; status?: number; fault?: TlsFault; durationMs: number }

export interface WebhookSenderOptions {
  /** Networks (CIDR) that receivers can be in although they aren't public. */
  allowedNetworks: readonly string[]
  /** PEM file of additional certificate authorities. */
  caFile?: string | undefined
  /** For a whole attempt, from the DNS lookup to the response's headers; 5,000 by default. */
  deadlineMs?: number
  /** Connections that are older aren't reused; 60,000 by default. */
  connectionAgeMsMax?: number
  resolver?: NameResolver
}

/**
 * Sends webhook requests with node:https, to addresses that its own lookup has checked. Who calls it bounds the concurrent
 * attempts. undici treats an unsolicited `100 Continue` as an error, which a client must accept (RFC 9110, 15.2).
 */
export function createWebhookSender({
  allowedNetworks,
  caFile,
  deadlineMs = 5_000,
  connectionAgeMsMax = 60_000,
  resolver,
}: WebhookSenderOptions): WebhookSender {
  const cares = createResolver()
  const policy = createAddressPolicy(allowedNetworks)
  const agent = new ReceiverAgent({
    // The rest of the time is for connecting and the response.
    lookup: checkedLookup({ policy, resolver: resolver ?? cares, lookupMsMax: deadlineMs * 0.8 }),
    secureContext: trustedAuthorities(caFile),
    connectionAgeMsMax,
  })
  return {
    send: request => makeAttempt(request, { policy, agent, deadlineMs }),
    async close() {
      agent.destroy()
      cares.cancel()
    },
  }
}

interface AttemptContext {
  policy: AddressPolicy
  agent: ReceiverAgent
  deadlineMs: number
}

/**
 * Sends the request once. It is never repeated, not even when a reused connection closes during the request: the
 * receiver may have processed it, and an attempt that is counted once must not arrive twice.
 */
async function makeAttempt(
  { url: text, ...request }: WebhookRequest,
  { policy, agent, deadlineMs }: AttemptContext,
): Promise<AttemptResult> {
  if (webhookUrlViolation(text, policy)) return { ok: false, reason: 'blocked_address', durationMs: 0 }
  const url = new URL(text)
  await processClosings()
  const startedAt = performance.now()
  try {
    const status = await postRequest({ ...request, url, deadlineMs }, agent)
    const durationMs = performance.now() - startedAt
    if (status >= 200 && status < 300) return { ok: true, status, durationMs }
    return { ok: false, reason: 'status', status, durationMs }
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error
    const { reason, fault } = error
    return { ok: false, reason, ...(fault && { fault }), durationMs: performance.now() - startedAt }
  }
}

/**
 * Ends after a full turn of the event loop, so that an idle connection whose close has arrived is not used. The first wait
 * can end within the current turn, before sockets are polled; the last one is for Node's agent to drop what has closed.
 */
async function processClosings(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await nextTurn()
}
