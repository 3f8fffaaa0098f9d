import { AggregatorRegistry } from 'prom-client'
import type { Figures } from './messages.ts'

/**
 * The figures of several processes as one text: added up, or averaged or taken once where a sum has no meaning,
 * as each metric says itself. What is read from the database, such as the deliveries that wait, is known to the
 * one process that has the worker, and so is counted once.
 */
export async function aggregateMetrics(figures: Figures[]): Promise<string> {
  return await AggregatorRegistry.aggregate(figures).metrics()
}
