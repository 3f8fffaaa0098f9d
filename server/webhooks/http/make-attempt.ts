import type { OutgoingHttpHeaders } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SecureContext } from 'node:tls'
import type { AddressPolicy } from '#domain/webhook/public-address.policy.ts'
import { receiverHost, webhookUrlViolation } from '#domain/webhook/webhook-url.policy.ts'
import { AttemptFailure, type FailureReason } from './attempt-failure.ts'
import type { ConnectionPool, Place } from './connection-pool.ts'
import { startDeadline, withinDeadline } from './deadline.ts'
import { dialReceiver } from './dial-receiver.ts'
import { createReceiverConnection, type ReceiverConnection } from './receiver-connection.ts'
import { type NameResolver, resolveReceiver } from './resolve-receiver.ts'

export interface EventAttempt {
  tenantId: string
  url: string
  /** The exact bytes that were signed. */
  body: Buffer
  headers: OutgoingHttpHeaders
}

/** `durationMs` runs from the name's look-up to the answer's headers. */
export type AttemptOutcome =
  | { ok: true; status: number; durationMs: number }
  | { ok: false; reason: FailureReason; status?: number; durationMs: number }

export interface AttemptMeans {
  policy: AddressPolicy
  resolver: NameResolver
  secureContext: SecureContext
  pool: ConnectionPool
  deadlineMs: number
  connectionAgeMsMax: number
}

/**
 * Posts an event once. Nothing is repeated, not even when a kept connection closes while the request is on its
 * way: whether the receiver has seen it can't be known then, and an attempt that is counted once must not
 * arrive twice. A connection that had closed before is noticed, and a fresh one taken.
 */
export async function makeAttempt(attempt: EventAttempt, means: AttemptMeans): Promise<AttemptOutcome> {
  if (webhookUrlViolation(attempt.url, means.policy)) {
    return { ok: false, reason: 'blocked_address', durationMs: 0 }
  }
  const url = new URL(attempt.url)
  const place = await takeLivePlace(means.pool, attempt.tenantId, url.origin)
  const deadline = startDeadline(means.deadlineMs)
  const startedAt = performance.now()
  try {
    place.connection ??= await openConnection(place, url, means, deadline.signal)
    const { headers, body } = attempt
    const status = await place.connection.post({ url, headers, body }, deadline)
    const durationMs = performance.now() - startedAt
    if (status >= 200 && status < 300) return { ok: true, status, durationMs }
    return { ok: false, reason: 'status', status, durationMs }
  } catch (error) {
    deadline.end()
    means.pool.drop(place)
    if (!(error instanceof AttemptFailure)) throw error
    return { ok: false, reason: error.reason, durationMs: performance.now() - startedAt }
  }
}

/**
 * A kept connection is taken only after a full turn of the event loop, in which a close that has already
 * arrived is noticed. The first wait may end within the turn that is under way, before sockets are looked at.
 */
async function takeLivePlace(pool: ConnectionPool, tenantId: string, origin: string): Promise<Place> {
  for (;;) {
    const place = await pool.take(tenantId, origin)
    if (!place.connection) return place
    await nextTurn()
    await nextTurn()
    if (place.connection.isAlive()) return place
    pool.drop(place)
  }
}

async function openConnection(
  place: Place,
  url: URL,
  { policy, resolver, secureContext, pool, connectionAgeMsMax }: AttemptMeans,
  signal: AbortSignal,
): Promise<ReceiverConnection> {
  const host = receiverHost(url)
  const addresses = await withinDeadline(resolveReceiver(host, policy, resolver), signal)
  const port = Number(url.port || 443)
  const socket = await dialReceiver({ host, port, addresses, policy, secureContext, signal })
  const openedAt = performance.now()
  const isYoung = () => performance.now() - openedAt < connectionAgeMsMax
  return createReceiverConnection(socket, {
    onAnswer: () => pool.drain(place),
    onFree: () => (isYoung() ? pool.keep(place) : pool.drop(place)),
    onClosed: () => pool.drop(place),
  })
}
