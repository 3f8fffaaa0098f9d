import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import type { Config } from '../configuration/config.ts'
import type { Dependencies } from '../configuration/dependencies.ts'
import { build } from '../configuration/version.ts'
import { assertPortFree } from '../http/listen.ts'
import { createLog, type Log } from '../logging/log.ts'
import { loadParts, readDependencies } from './read-dependencies.ts'
import { type ServiceProcess, startProcess } from './start-process.ts'

export type RunningService = Pick<ServiceProcess, 'close'>

/**
 * Starts an embedded part for each dependency that is not configured, then the service itself. Only where one is needed, the
 * code of embedded parts is loaded, and builds what a checkout lacks. `print` gets what an embedded start says to people.
 */
export async function startService(
  config: Config,
  print: (text: string) => void = console.log,
): Promise<RunningService> {
  const log = createLog(config.logLevel)
  await assertPortsFree(config)
  const dependencies = await readDependencies(config)
  if (dependencies) log.info(build, 'Starting')
  if (config.productionReason && !config.redisUrl) {
    log.warn('REDIS_URL is not set: rate limits are kept in this process, the only API process')
  }
  if (config.allowSimulators) log.warn('ALLOW_SIMULATORS is set: simulators may replace real dependencies')
  const { close } = dependencies
    ? await startConfigured(config, dependencies, log)
    : await startLocal(config, log, print)
  return {
    async close() {
      log.info('Shutting down: draining in-flight requests')
      await close()
    },
  }
}

async function startConfigured(
  config: Config,
  dependencies: Dependencies,
  log: Log,
): Promise<RunningService> {
  const { baseUrl, role } = config
  const service = await start(config, dependencies, log)
  const up = role === 'worker' ? { role } : { role, baseUrl }
  log.info({ ...up, ...build }, 'The service is up')
  return service
}

async function startLocal(config: Config, log: Log, print: (text: string) => void): Promise<RunningService> {
  const { startEmbedded, welcome } = await loadParts(config)
  await using closing = new AsyncDisposableStack()
  const embedded = await startEmbedded(config, log, step => print(`${step} …`))
  closing.defer(() => embedded.close())
  warnOfSimulators(config, embedded.dependencies, log)
  const service = await start(config, embedded.dependencies, log)
  closing.defer(() => service.close())
  print(await welcome(config, embedded, service.services))
  const close = closing.move()
  return { close: () => close.disposeAsync() }
}

/** Simulators approve anyone. That is expected only where nothing else is real. */
function warnOfSimulators(config: Config, { simulators = [] }: Dependencies, log: Log): void {
  if (simulators.length === 0 || (config.hasDemo && !config.allowSimulators)) return
  log.warn({ simulators }, 'Simulators are on: anyone can pass verification or sign in')
}

async function start(config: Config, dependencies: Dependencies, log: Log): Promise<ServiceProcess> {
  const migrate = async () => {
    if (config.migrateOnStart) await applyPending(config, dependencies, log)
  }
  return await startProcess({ config, dependencies, log, migrate })
}

/** Processes that start at the same time migrate one after the other; all but the first find nothing pending. */
async function applyPending(config: Config, { databaseUrl }: Dependencies, log: Log): Promise<void> {
  const applied = await applyMigrations({
    url: databaseUrl,
    applicationName: 'age-verification-migrations',
    onWait: () => log.info('Waiting for another process to finish migrating'),
    onLocked: migration => log.warn({ migration }, 'A migration could not lock its tables; trying again'),
    onNewer: newer => log.info({ newer }, 'The schema is newer than this program, which can run on it'),
  })
  if (applied.length > 0 && config.databaseUrl) log.info({ applied }, 'Database migrations applied')
}

async function assertPortsFree({ host, port, metricsPort, role }: Config): Promise<void> {
  if (role !== 'worker') await assertPortFree({ host, port })
  if (metricsPort !== undefined) await assertPortFree({ host, port: metricsPort, variable: 'METRICS_PORT' })
}
