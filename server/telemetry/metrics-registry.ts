import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { build } from '../configuration/version.ts'

/** Creates a registry with the build and the process metrics: CPU, memory, event loop, garbage collection. */
export function createMetricsRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const info = new Gauge({
    name: 'age_verification_build_info',
    help: 'The version and the Git commit of the service, and the version of Node; the value is always 1',
    labelNames: ['version', 'commit', 'node_version'],
    registers: [registry],
  })
  info.set({ ...build, node_version: process.version }, 1)
  return registry
}
