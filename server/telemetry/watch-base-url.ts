import { setTimeout as wait } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { DomainLog } from '#domain/scope.ts'
import { createOutageLog } from '../logging/outage-log.ts'
import { type LivenessResult, livenessResults, requestLiveness } from './request-liveness.ts'

const everyMs = 60_000

interface WatchOptions {
  registry: Registry
  baseUrl: string
  log: DomainLog
  everyMs?: number
}

/**
 * Asks each minute whether the service can be reached at its public address, which nothing else notices: where no request
 * arrives, none fails. The first time is a minute after the start, when the process itself may be what is behind the address.
 */
export function watchBaseUrl({ registry, baseUrl, log, everyMs: intervalMs = everyMs }: WatchOptions) {
  const outage = createOutageLog(`BASE_URL ${baseUrl}`, log)
  const closing = new AbortController()
  const { signal } = closing
  let last: { result: LivenessResult; at: number } | undefined
  async function watch(): Promise<void> {
    for (;;) {
      await wait(intervalMs, undefined, { signal, ref: false })
      const { result, reason } = await requestLiveness(baseUrl)
      if (signal.aborted) return
      last = { result, at: performance.now() }
      if (result === 'ok') outage.ended()
      else outage.failed(`${reason} (${result})`)
    }
  }
  new Gauge({
    name: 'age_verification_base_url_check',
    help: 'Whether this worker reached /health/live at BASE_URL: 1 for the result of the last check; none without one',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset()
      if (last === undefined || performance.now() - last.at > 3 * intervalMs) return
      for (const result of livenessResults) this.set({ result }, result === last.result ? 1 : 0)
    },
  })
  watch().catch(() => undefined)
  return { close: () => closing.abort() }
}
