import { AggregatorRegistry } from 'prom-client'

/** The metrics of one process, as `Registry.getMetricsAsJSON` returns them. */
export type ProcessMetrics = Parameters<typeof AggregatorRegistry.aggregate>[0][number]

/**
 * Aggregates the metrics of several processes into one text. Each metric's own aggregator applies: most are summed,
 * others averaged, taken once or omitted. Metrics that are read from the database, such as the number of pending
 * deliveries, exist only in the process that has the worker, and so are counted once.
 *
 * `AggregatorRegistry.clusterMetrics` would collect them too, but leaves out the primary's own metrics and fails
 * while one process is busy or starting.
 */
export async function aggregateMetrics(all: ProcessMetrics[]): Promise<string> {
  return await AggregatorRegistry.aggregate(all).metrics()
}
