import type { Config } from './config.ts'
import { assertPortFree } from './listen.ts'
import { createLog, type Log } from './log.ts'
import { configuredOutside, type Outside } from './outside.ts'
import { runService, type ServiceProcess } from './run-service.ts'

export interface RunningService {
  close(): Promise<void>
}

/**
 * Starts what the environment does not name, then the service itself. Nothing of the embedded parts is loaded
 * where everything is named.
 */
export async function startService(config: Config): Promise<RunningService> {
  const log = createLog(config.LOG_LEVEL)
  if (config.ROLE !== 'worker') await assertPortFree({ host: config.HOST, port: config.PORT })
  const outside = configuredOutside(config)
  if (outside) return await startConfigured(config, outside, log)
  const { startEmbedded } = await import('./embedded/start-embedded.ts')
  const { welcome } = await import('./embedded/welcome.ts')
  const embedded = await startEmbedded(config, log, step => console.log(`${step} …`))
  const service = await runOrClose(config, embedded, log)
  console.log(await welcome(config, embedded, service.services))
  return closing(service, embedded, log)
}

async function startConfigured(config: Config, outside: Outside, log: Log): Promise<RunningService> {
  const service = await runOrClose(config, outside, log)
  log.info({ baseUrl: config.baseUrl, role: config.ROLE }, 'The service is up')
  return closing(service, outside, log)
}

async function runOrClose(config: Config, outside: Outside, log: Log): Promise<ServiceProcess> {
  try {
    return await runService(config, outside, log)
  } catch (error) {
    await outside.close()
    throw error
  }
}

function closing(service: ServiceProcess, outside: Outside, log: Log): RunningService {
  return {
    async close() {
      log.info('The service finishes what is in flight and ends')
      await service.close()
      await outside.close()
    },
  }
}
