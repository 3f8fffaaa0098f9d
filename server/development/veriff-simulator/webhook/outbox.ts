import type { Session } from '../session/session.ts'
import type { SessionStore } from '../session/session-store.ts'
import { type Delivery, type DeliveryState, isPending } from './delivery.ts'
import type { PlannedDelivery } from './delivery-plan.ts'
import { newDelivery } from './new-delivery.ts'
import { RetrySchedule } from './retry-schedule.ts'

const triedForMs = 7 * 86_400_000
/** What a Node timer takes. */
const timerMsMax = 2 ** 31 - 1

export interface OutboxOptions {
  store: SessionStore
  /** One try of a delivery: the service's status. */
  send: (delivery: Delivery, ended: AbortSignal) => Promise<number>
  now: () => Date
  retryDelaysSeconds: number[]
  log: (line: string) => void
}

/** Sends webhooks until the service has answered 200: at least once each, in any order. */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #retries: RetrySchedule
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #ended = new AbortController()

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#retries = new RetrySchedule(options.retryDelaysSeconds)
  }

  /**
   * Puts the session and its webhooks on file, in one write, so that no kill comes between a decision and the word
   * of it; then tries those that are due, one after the other. Resolves when each was tried once.
   */
  async post(session: Session, planned: PlannedDelivery[]): Promise<Delivery[]> {
    const deliveries = planned.map(plan => newDelivery(session, plan, this.#options.now()))
    const { store } = this.#options
    await Promise.all([
      store.saveSession(session),
      ...deliveries.map(delivery => store.saveDelivery(delivery)),
    ])
    for (const [index, delivery] of deliveries.entries()) {
      const delayMs = planned[index]!.delayMs
      if (delayMs === 0) await this.#try(delivery)
      else if (delayMs !== 'held') this.#schedule(delivery, delayMs)
    }
    return deliveries
  }

  /** Tries everything now that was held, is late or waits for a further try. */
  async release(): Promise<Delivery[]> {
    const pending = [...this.#options.store.deliveries.values()].filter(isPending)
    for (const delivery of pending) await this.#try(delivery)
    return pending
  }

  /** Takes up what an earlier process left behind. */
  resume(): void {
    for (const delivery of this.#options.store.deliveries.values()) {
      if (delivery.state !== 'waiting' || delivery.nextTryAt === null) continue
      const dueInMs = Date.parse(delivery.nextTryAt) - this.#options.now().getTime()
      const isLate = delivery.tries === 0 && dueInMs > 0
      this.#schedule(delivery, isLate ? dueInMs : this.#retries.nextDelayMs(delivery.id))
    }
  }

  /** Ends running tries; what was not accepted stays on file. */
  async close(): Promise<void> {
    this.#ended.abort()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.allSettled(this.#running.values())
  }

  #schedule(delivery: Delivery, delayMs: number): void {
    if (this.#ended.signal.aborted) return
    const tryLater = () => {
      this.#try(delivery).catch(error => this.#options.log(`webhook ${delivery.id}: not on file: ${error}`))
    }
    this.#timers.set(delivery.id, setTimeout(tryLater, Math.min(delayMs, timerMsMax)))
  }

  /** Joins a try that is running already. */
  #try(delivery: Delivery): Promise<void> {
    const running = this.#running.get(delivery.id) ?? this.#tryOnce(delivery)
    this.#running.set(delivery.id, running)
    return running.finally(() => this.#running.delete(delivery.id))
  }

  async #tryOnce(delivery: Delivery): Promise<void> {
    if (!isPending(delivery)) return
    clearTimeout(this.#timers.get(delivery.id))
    this.#timers.delete(delivery.id)
    const { status, error } = await this.#send(delivery)
    if (this.#ended.signal.aborted) return
    delivery.tries += 1
    delivery.status = status
    delivery.error = error
    this.#settle(delivery)
    this.#options.log(
      `webhook "${delivery.title}" of session ${delivery.sessionId}: ${status ?? error}, ${delivery.state}`,
    )
    await this.#options.store.saveDelivery(delivery)
  }

  async #send(delivery: Delivery): Promise<Pick<Delivery, 'status' | 'error'>> {
    try {
      return { status: await this.#options.send(delivery, this.#ended.signal), error: null }
    } catch (error) {
      return { status: null, error: error instanceof Error ? error.message || error.name : String(error) }
    }
  }

  #settle(delivery: Delivery): void {
    const now = this.#options.now().getTime()
    const delayMs = this.#retries.nextDelayMs(delivery.id)
    delivery.state = stateAfter(delivery, now + delayMs)
    if (delivery.state === 'waiting') {
      delivery.nextTryAt = new Date(now + delayMs).toISOString()
      this.#schedule(delivery, delayMs)
    } else {
      delivery.nextTryAt = null
      delivery.body = ''
      this.#retries.forget(delivery.id)
    }
  }
}

/** Only 200 counts. What an impostor would send is not tried again. */
function stateAfter(delivery: Delivery, nextTryAtMs: number): DeliveryState {
  if (delivery.status === 200) return 'accepted'
  const inTime = nextTryAtMs <= Date.parse(delivery.createdAt) + triedForMs
  return delivery.signing === 'valid' && inTime ? 'waiting' : 'given-up'
}
