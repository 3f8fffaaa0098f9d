import type { Session } from '../session.ts'
import type { SessionStore } from '../session-store.ts'
import { createDelivery, type Delivery, isPending, type PlannedDelivery } from './delivery.ts'

const retryMsMax = 7 * 86_400_000
/** The longest delay of a Node timer. */
const timerMsMax = 2 ** 31 - 1

export interface OutboxOptions {
  store: SessionStore
  /** Makes one attempt. Returns the service's HTTP status; throws without a response. */
  send: (delivery: Delivery, closed: AbortSignal) => Promise<number>
  now: () => Date
  /** Before each retry; the last one repeats. */
  retryDelaysSeconds: number[]
  log: (line: string) => void
}

/** Delivers webhooks at least once each, in any order: until the service responds with 200. */
export class Outbox {
  readonly #options: OutboxOptions
  /** Attempts since the process started, by delivery: after a restart the short delays apply again. */
  readonly #attempts = new Map<string, number>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #running = new Map<string, Promise<Delivery>>()
  readonly #closed = new AbortController()

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /**
   * Saves the session and its webhooks in one transaction, so that a crash cannot separate a decision from its
   * webhook; then attempts those that are due, sequentially. Returns the deliveries when each was attempted once.
   */
  async post(session: Session, planned: PlannedDelivery[]): Promise<Delivery[]> {
    const deliveries = planned.map(plan => createDelivery(session, plan, this.#options.now()))
    this.#options.store.save(session, deliveries)
    const posted: Delivery[] = []
    for (const [index, delivery] of deliveries.entries()) {
      const delayMs = planned[index]!.delayMs
      if (typeof delayMs === 'number' && delayMs > 0) this.#schedule(delivery.id, delayMs)
      posted.push(delayMs === 0 ? await this.#attempt(delivery.id) : delivery)
    }
    return posted
  }

  /** Attempts everything that is held, late or waiting for a retry now. Returns those deliveries. */
  async release(): Promise<Delivery[]> {
    const released: Delivery[] = []
    for (const { id } of this.#options.store.deliveries().filter(isPending)) {
      released.push(await this.#attempt(id))
    }
    return released
  }

  /** Schedules the deliveries that an earlier process left. */
  resume(): void {
    for (const delivery of this.#options.store.deliveries()) {
      if (delivery.state !== 'waiting' || delivery.nextTryAt === null) continue
      const dueInMs = Date.parse(delivery.nextTryAt) - this.#options.now().getTime()
      const isLate = delivery.tries === 0 && dueInMs > 0
      this.#schedule(delivery.id, isLate ? dueInMs : this.#retryDelayMs(delivery.id))
    }
  }

  /** Makes no further attempt for a session's webhooks. */
  cancel(session: Session): void {
    for (const { id } of this.#options.store.deliveriesOf(session)) {
      clearTimeout(this.#timers.get(id))
      this.#timers.delete(id)
      this.#attempts.delete(id)
    }
  }

  /** Aborts running attempts; what was not accepted stays in the store. */
  async close(): Promise<void> {
    this.#closed.abort()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.allSettled(this.#running.values())
  }

  #schedule(id: string, delayMs: number): void {
    if (this.#closed.signal.aborted) return
    const attempt = () => {
      this.#attempt(id).catch(error => this.#options.log(`webhook ${id}: not saved: ${error}`))
    }
    this.#timers.set(id, setTimeout(attempt, Math.min(delayMs, timerMsMax)))
  }

  /** Joins an attempt that is already running. Returns the delivery's new state. */
  #attempt(id: string): Promise<Delivery> {
    const running = this.#running.get(id) ?? this.#attemptOnce(id)
    this.#running.set(id, running)
    return running.finally(() => this.#running.delete(id))
  }

  async #attemptOnce(id: string): Promise<Delivery> {
    const delivery = this.#options.store.delivery(id)
    if (!isPending(delivery)) return delivery
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
    const { status, error } = await this.#send(delivery)
    if (this.#closed.signal.aborted) return delivery
    const attempted = this.#afterAttempt({ ...delivery, tries: delivery.tries + 1, status, error })
    this.#options.store.saveDelivery(attempted)
    this.#options.log(
      `webhook "${delivery.title}" of session ${delivery.sessionId}: ${status ?? error}, ${attempted.state}`,
    )
    return attempted
  }

  async #send(delivery: Delivery): Promise<Pick<Delivery, 'status' | 'error'>> {
    try {
      return { status: await this.#options.send(delivery, this.#closed.signal), error: null }
    } catch (error) {
      return { status: null, error: error instanceof Error ? error.message || error.name : String(error) }
    }
  }

  /** Only 200 is a success. A forged webhook is not retried. Schedules the retry if there is one. */
  #afterAttempt(delivery: Delivery): Delivery {
    const delayMs = this.#retryDelayMs(delivery.id)
    const nextTryMs = this.#options.now().getTime() + delayMs
    const inTime = nextTryMs <= Date.parse(delivery.createdAt) + retryMsMax
    if (delivery.status !== 200 && delivery.signing === 'valid' && inTime) {
      this.#schedule(delivery.id, delayMs)
      return { ...delivery, state: 'waiting', nextTryAt: new Date(nextTryMs).toISOString() }
    }
    this.#attempts.delete(delivery.id)
    const state = delivery.status === 200 ? 'accepted' : 'given-up'
    return { ...delivery, state, nextTryAt: null, body: '' }
  }

  #retryDelayMs(id: string): number {
    const attempts = this.#attempts.get(id) ?? 0
    this.#attempts.set(id, attempts + 1)
    const { retryDelaysSeconds } = this.#options
    return (retryDelaysSeconds[attempts] ?? retryDelaysSeconds.at(-1) ?? 3600) * 1000
  }
}
