import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ErrorCode } from '#domain/error-codes.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'

export type RequestMetrics = ReturnType<typeof createRequestMetrics>

/** Shows what the requests of this process, except for probes, are doing. */
export function addConcurrencyMetrics(
  registry: Registry,
  { counts }: Pick<ConcurrencyLimit, 'counts'>,
): void {
  new Gauge({
    name: 'age_verification_http_requests',
    help: 'Requests that are working, queued for a place, or idle because they wait for somebody else',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(counts())) this.set({ state }, count)
    },
  })
}

export function addWaitMetrics(registry: Registry, count: () => number): void {
  new Gauge({
    name: 'age_verification_http_waiting_requests',
    help: 'Requests of this process that wait for a change of a status, or for the first start with their key',
    registers: [registry],
    collect() {
      this.set(count())
    },
  })
}

/** Counts requests and errors. `route` is a declared route, or `none`, as in the access log. */
export function createRequestMetrics(registry: Registry) {
  const durations = new Histogram({
    name: 'age_verification_http_request_duration_seconds',
    help: 'Seconds from a request to its response or to the disconnect of its client, by declared route and status',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const errors = new Counter({
    name: 'age_verification_http_errors_total',
    help: 'Errors sent in responses, by declared route and code of the error catalogue',
    labelNames: ['route', 'code'],
    registers: [registry],
  })
  const shed = new Counter({
    name: 'age_verification_http_requests_shed_total',
    help: 'Requests that this process rejected because it was overloaded',
    registers: [registry],
  })
  return {
    /** `status`: undefined if the client disconnected before it had the response. */
    requestCompleted(route: string, status: number | undefined, seconds: number): void {
      durations.observe({ route, status: `${status ?? 'disconnected'}` }, seconds)
    },
    errorSent: (route: string, code: ErrorCode) => errors.inc({ route, code }),
    requestShed: () => shed.inc(),
  }
}
