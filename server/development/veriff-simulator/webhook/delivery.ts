/** A webhook as it is made: what it says, in a few words for people and logs, and the bytes to sign and send. */
export interface Webhook {
  title: string
  body: string
}

/**
 * A webhook and how far it has come. Times are ISO 8601, UTC. The body is forgotten when nothing is left to try.
 */
export interface Delivery extends Webhook {
  id: string
  sessionId: string
  signing: Signing
  createdAt: string
  tries: number
  state: DeliveryState
  /** The service's answer to the last try; null where there was none. */
  status: number | null
  /** Why the last try had no answer. */
  error: string | null
  /** When it is tried next; null where it is not, or not before it is released. */
  nextTryAt: string | null
}

/** `waiting` for a further try, `held` until it is released, `accepted` with a 200, `given-up`. */
export type DeliveryState = 'waiting' | 'held' | 'accepted' | 'given-up'

const signings = ['valid', 'wrong-signature', 'wrong-client', 'unsigned'] as const
/** All but `valid` are for tests of the receiver: what an impostor would send. They are tried once. */
export type Signing = (typeof signings)[number]

/** Whether it may still be sent. */
export function isPending(delivery: Delivery): boolean {
  return delivery.state === 'waiting' || delivery.state === 'held'
}
