import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Log } from '../log.ts'
import { runService, type ServiceProcess } from '../run-service.ts'
import { aggregateMetrics } from './aggregate-metrics.ts'
import { createApiProcesses } from './api-processes.ts'

/**
 * The service as several processes: the API in as many as WEB_CONCURRENCY says, and this one, the primary, which
 * has the worker where ROLE is `all`, and shares out the connections.
 */
export async function runCluster(
  config: Config,
  dependencies: Dependencies,
  log: Log,
): Promise<ServiceProcess> {
  const apis = createApiProcesses({ config, dependencies, log, allFigures })
  let own: Registry | undefined
  async function allFigures(): Promise<string> {
    return await aggregateMetrics([...(own ? [await own.getMetricsAsJSON()] : []), ...(await apis.figures())])
  }
  const primary = await runService({
    ...{ config, dependencies, log },
    duties: { api: false, worker: config.ROLE === 'all', metricsPort: true },
    figures(registry) {
      own = registry
      return { contentType: registry.contentType, metrics: allFigures }
    },
  })
  async function close(): Promise<void> {
    await Promise.all([apis.close(), primary.close()])
  }
  try {
    await apis.start()
  } catch (error) {
    await close()
    throw error
  }
  return { services: primary.services, close }
}
