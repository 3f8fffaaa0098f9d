import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Config } from '../../configuration/config.ts'
import type { Dependencies } from '../../configuration/dependencies.ts'
import type { Log } from '../../logging/log.ts'
import { type ServiceProcess, startProcess } from '../start-process.ts'
import { createApiProcesses } from './api-processes.ts'

/**
 * Starts the service as several processes: WEB_CONCURRENCY API processes and this one, the primary, which
 * distributes the connections, migrates, and has the worker if ROLE is `all`.
 */
export async function startCluster(
  config: Config,
  dependencies: Dependencies,
  log: Log,
  migrate: () => Promise<void>,
): Promise<ServiceProcess> {
  const apis = createApiProcesses(config, dependencies, log, aggregatedMetrics)
  let own: Registry | undefined
  /**
   * Each metric's own aggregator applies: most are summed, others averaged, taken once or omitted. What is read from the
   * database exists only in the process that has the worker. `AggregatorRegistry.clusterMetrics` would leave out the
   * primary's own metrics, and fail while one process is busy or starting.
   */
  async function aggregatedMetrics(): Promise<string> {
    const primaryMetrics = own ? [await own.getMetricsAsJSON()] : []
    return await AggregatorRegistry.aggregate([...primaryMetrics, ...(await apis.metrics())]).metrics()
  }
  const starting = startProcess({
    config,
    dependencies,
    log,
    roles: { api: false, worker: config.role === 'all', metricsPort: true },
    migrate,
    hasApiProcess: apis.isServing,
    metricsSource(registry) {
      own = registry
      return { contentType: registry.contentType, metrics: aggregatedMetrics }
    },
  })
  try {
    const [primary] = await Promise.all([starting, apis.start()])
    return {
      ...primary,
      async close() {
        await Promise.all([apis.close(), primary.close()])
      },
    }
  } catch (error) {
    // The primary may still wait for PostgreSQL.
    void starting.then(
      primary => primary.close(),
      () => undefined,
    )
    await apis.close()
    throw error
  }
}
