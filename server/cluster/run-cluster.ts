import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Outside } from '../outside.ts'
import { runService, type ServiceProcess } from '../run-service.ts'
import { createApiProcesses } from './api-processes.ts'
import { sumFigures } from './sum-figures.ts'

/**
 * The service as several processes: the API in as many as WEB_CONCURRENCY says, and this one, the primary, which
 * has the worker where ROLE is `all`, and shares out the connections.
 */
export async function runCluster(config: Config, outside: Outside, log: Log): Promise<ServiceProcess> {
  const apis = createApiProcesses({ config, outside, log, allFigures })
  let own: Registry | undefined
  async function allFigures(): Promise<string> {
    return await sumFigures([...(own ? [await own.getMetricsAsJSON()] : []), ...(await apis.figures())])
  }
  const primary = await runService({
    ...{ config, outside, log },
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
