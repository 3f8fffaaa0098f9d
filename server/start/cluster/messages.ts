import type { AggregatorRegistry } from 'prom-client'
import type { Config } from '../../configuration/config.ts'
import type { Dependencies } from '../../configuration/dependencies.ts'

/** The metrics of one process, as `Registry.getMetricsAsJSON` returns them. */
export type ProcessMetrics = Parameters<typeof AggregatorRegistry.aggregate>[0][number]

export type FromChild =
  /** The program has loaded and waits for `start`. */
  | { kind: 'loaded' }
  | { kind: 'listening' }
  /** It could not start, for the reason in this line. */
  | { kind: 'start-failed'; reason: string }
  | { kind: 'get-aggregated-metrics' }
  | { kind: 'pong' }
  | { kind: 'process-metrics'; value: ProcessMetrics }

/** Secrets are sent over this channel only: other users can read command lines and environments. */
export type ToChild =
  | { kind: 'start'; config: Config; dependencies: Dependencies }
  | { kind: 'get-process-metrics' }
  | { kind: 'ping' }
  | { kind: 'aggregated-metrics'; value: string }
  | { kind: 'close' }
