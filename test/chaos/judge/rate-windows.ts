import type { Exchange } from '../clients/send.ts'
import type { ApiKeyEntry } from './ledger.ts'
import type { Violations } from './timeline.ts'

export type RateClass = 'write' | 'read'

interface Window {
  limit: number
  admitted: number
  rejected: number
  from: number
  to: number
}

/** Counts the answers of each key's windows. A window is named by its `X-RateLimit-Reset`. */
export class RateWindows {
  readonly #windows = new Map<string, Window>()
  /** Requests of a key whose answer was lost, or whose look-up of the key failed: they may have been counted. */
  readonly #unsure = new Map<string, number>()

  count(exchange: Exchange, { apiKeyId }: ApiKeyEntry, rateClass: RateClass): void {
    const key = `${apiKeyId} ${rateClass}`
    const reset = exchange.headers['x-ratelimit-reset']
    if (reset === undefined) {
      if ((exchange.status ?? 500) >= 500) this.#unsure.set(key, (this.#unsure.get(key) ?? 0) + 1)
      return
    }
    const name = `${key} ${reset}`
    const { sentAt, answeredAt, headers } = exchange
    const limit = Number(headers['x-ratelimit-limit'])
    const window = this.#windows.get(name) ?? {
      limit,
      admitted: 0,
      rejected: 0,
      from: sentAt,
      to: answeredAt,
    }
    this.#windows.set(name, window)
    if (exchange.body?.error === 'RATE_LIMIT_EXCEEDED') window.rejected += 1
    else window.admitted += 1
    window.from = Math.min(window.from, sentAt)
    window.to = Math.max(window.to, answeredAt)
  }

  /** `losses` are the times at which Redis lost its counters, which start anew then. */
  check(violations: Violations, losses: readonly number[]): void {
    for (const [name, window] of this.#windows) {
      const { limit, admitted, rejected, from, to } = window
      const restarts = losses.filter(at => at >= from && at <= to).length
      if (admitted > limit * (1 + restarts)) {
        violations.add('No window admits more requests than its limit', { name, restarts, ...window })
      }
      const unsure = this.#unsure.get(name.split(' ').slice(0, 2).join(' ')) ?? 0
      if (rejected > 0 && admitted + unsure < limit) {
        violations.add('No request is rejected below the rate limit', { name, unsure, ...window })
      }
    }
  }
}
