import { type Dispatcher, request } from 'undici'
import { type Delivery, type DeliveryPlan, planDeliveries } from './delivery.ts'
import type { MemorySessions } from './memory-sessions.ts'
import { type Credentials, signedHeaders } from './signature.ts'
import type { Webhook } from './webhook-body.ts'

export interface OutboxOptions {
  sessions: MemorySessions
  /** The integration's webhook URL, and what authenticates the provider to it. */
  target: Credentials & { url: string; timeoutSeconds: number; dispatcher: Dispatcher }
  /** Before each retry; the last one repeats. */
  retryDelaysSeconds: number[]
}

/** Delivers webhooks at least once each, in any order: until the service responds with 200. */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #deliveries: Delivery[] = []
  readonly #timers = new Map<Delivery, NodeJS.Timeout>()
  readonly #closed = new AbortController()

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /** Attempts what is due, sequentially. Returns the deliveries after that. */
  async post(webhook: Webhook, plan: DeliveryPlan = {}, earlier: Webhook[] = []): Promise<Delivery[]> {
    const deliveries = planDeliveries(plan, new Date(), webhook, earlier)
    this.#deliveries.push(...deliveries)
    for (const delivery of deliveries) {
      if (delivery.nextTryAt === null) continue
      const delayMs = Date.parse(delivery.nextTryAt) - Date.now()
      if (delayMs > 0) this.#schedule(delivery, delayMs)
      else await this.#attempt(delivery)
    }
    return deliveries
  }

  /** Attempts everything that is late or waits for a retry now. Returns those deliveries. */
  async release(): Promise<Delivery[]> {
    const pending = this.deliveries().filter(({ state }) => state === 'waiting')
    for (const delivery of pending) await this.#attempt(delivery)
    return pending
  }

  /** Of all sessions that are not deleted. */
  deliveries(): Delivery[] {
    return this.#deliveries.filter(({ sessionId }) => this.#options.sessions.find(sessionId))
  }

  /** Aborts running attempts. */
  close(): void {
    this.#closed.abort()
    for (const timer of this.#timers.values()) clearTimeout(timer)
  }

  #schedule(delivery: Delivery, delayMs: number): void {
    clearTimeout(this.#timers.get(delivery))
    this.#timers.set(
      delivery,
      setTimeout(() => void this.#attempt(delivery), delayMs),
    )
  }

  async #attempt(delivery: Delivery): Promise<void> {
    clearTimeout(this.#timers.get(delivery))
    this.#timers.delete(delivery)
    const isDeleted = () => !this.#options.sessions.find(delivery.sessionId)
    if (isDeleted()) return
    const { status, error } = await this.#send(delivery)
    // Meanwhile the session may have been deleted, and another attempt accepted.
    if (this.#closed.signal.aborted || isDeleted() || delivery.state !== 'waiting') return
    Object.assign(delivery, { status, error, tries: delivery.tries + 1 })
    this.#settle(delivery)
  }

  /** Redirects are not followed. */
  async #send({ body, signing }: Delivery): Promise<Pick<Delivery, 'status' | 'error'>> {
    const { target } = this.#options
    const timeout = AbortSignal.timeout(target.timeoutSeconds * 1000)
    try {
      const response = await request(target.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signedHeaders(target, Buffer.from(body), signing) },
        body,
        dispatcher: target.dispatcher,
        signal: AbortSignal.any([timeout, this.#closed.signal]),
      })
      await response.body.dump()
      return { status: response.statusCode, error: null }
    } catch (error) {
      return { status: null, error: error instanceof Error ? error.message || error.name : String(error) }
    }
  }

  /** Only 200 is a success. A forged webhook is not retried. */
  #settle(delivery: Delivery): void {
    if (delivery.status !== 200 && delivery.signing === 'valid') {
      const delayMs = this.#retryDelayMs(delivery)
      delivery.state = 'waiting'
      delivery.nextTryAt = new Date(Date.now() + delayMs).toISOString()
      this.#schedule(delivery, delayMs)
    } else {
      const state = delivery.status === 200 ? 'accepted' : 'given-up'
      Object.assign(delivery, { state, nextTryAt: null, body: '' })
    }
  }

  #retryDelayMs({ tries }: Delivery): number {
    const { retryDelaysSeconds } = this.#options
    return (retryDelaysSeconds[Math.max(tries - 1, 0)] ?? retryDelaysSeconds.at(-1) ?? 3600) * 1000
  }
}
