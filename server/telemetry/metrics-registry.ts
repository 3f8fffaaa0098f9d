import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { version } from '../version.ts'

/** Creates a registry with the build and the process metrics: CPU, memory, event loop, garbage collection. */
export function createMetricsRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const build = new Gauge({
    name: 'age_verification_build_info',
    help: 'The version of the service, and of Node; the value is always 1',
    labelNames: ['version', 'node_version'],
    aggregator: 'first',
    registers: [registry],
  })
  build.set({ version, node_version: process.version }, 1)
  return registry
}
