import { runCluster } from './cluster/run-cluster.ts'
import type { Config } from './config.ts'
import { ensureBuild } from './dashboard/ensure-build.ts'
import { configuredDependencies, type Dependencies } from './dependencies.ts'
import { assertPortFree } from './http/listen.ts'
import { createLog, type Log } from './log.ts'
import { dashboardFolder, runService, type ServiceProcess } from './run-service.ts'

export interface RunningService {
  close(): Promise<void>
}

/**
 * Starts what the environment does not name, then the service itself. Nothing of the embedded parts is loaded
 * where everything is named.
 */
export async function startService(config: Config): Promise<RunningService> {
  const log = createLog(config.LOG_LEVEL)
  await assertPortsFree(config)
  const dependencies = configuredDependencies(config)
  return dependencies ? await startConfigured(config, dependencies, log) : await startLocal(config, log)
}

async function startConfigured(
  config: Config,
  dependencies: Dependencies,
  log: Log,
): Promise<RunningService> {
  const { baseUrl, ROLE: role, WEB_CONCURRENCY: apiProcesses } = config
  const service = await runOrClose(config, dependencies, log, line => log.info(line))
  log.info(role === 'worker' ? { role } : { role, baseUrl, apiProcesses }, 'The service is up')
  return closing(service, dependencies, log)
}

async function startLocal(config: Config, log: Log): Promise<RunningService> {
  const { startEmbedded } = await import('./development/start-embedded.ts')
  const { welcome } = await import('./development/welcome.ts')
  const embedded = await startEmbedded(config, log, step => console.log(`${step} …`))
  const service = await runOrClose(config, embedded, log, line => console.log(line))
  try {
    console.log(await welcome(config, embedded, service.services))
  } catch (error) {
    await closing(service, embedded, log).close()
    throw error
  }
  return closing(service, embedded, log)
}

async function runOrClose(
  config: Config,
  dependencies: Dependencies,
  log: Log,
  tell: (line: string) => void,
): Promise<ServiceProcess> {
  try {
    if (config.ROLE !== 'worker') await ensureBuild({ folder: dashboardFolder, tell })
    return await run(config, dependencies, log)
  } catch (error) {
    await dependencies.close()
    throw error
  }
}

async function run(config: Config, dependencies: Dependencies, log: Log): Promise<ServiceProcess> {
  if (config.ROLE !== 'worker' && config.WEB_CONCURRENCY > 1)
    return await runCluster(config, dependencies, log)
  const duties = { api: config.ROLE !== 'worker', worker: config.ROLE !== 'api', metricsPort: true }
  return await runService({ config, dependencies, log, duties })
}

function closing(service: ServiceProcess, dependencies: Dependencies, log: Log): RunningService {
  return {
    async close() {
      log.info('The service finishes what is in flight and ends')
      await service.close()
      await dependencies.close()
    },
  }
}

async function assertPortsFree({ HOST: host, PORT, METRICS_PORT, ROLE }: Config): Promise<void> {
  if (ROLE !== 'worker') await assertPortFree({ host, port: PORT })
  if (METRICS_PORT !== undefined) await assertPortFree({ host, port: METRICS_PORT, variable: 'METRICS_PORT' })
}
