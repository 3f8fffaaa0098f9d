/** `npm start`: reads the configuration, starts the dependencies and the service, and closes them on a signal. */
import { type Config, ConfigError, environmentVariables, readConfig } from './config.ts'
import { freePort } from './http/free-port.ts'
import { notifySystemd } from './notify-systemd.ts'
import { readEnvironment } from './read-environment.ts'
import { reportStartError } from './report-start-error.ts'
import { prepareShutdown } from './shutdown.ts'
import { startService } from './start-service.ts'
import { standardVariables } from './telemetry/tracing/standard-variables.ts'
import { describeUnknownVariables } from './unknown-variables.policy.ts'

try {
  const shutdown = prepareShutdown()
  // Ctrl-C arrives twice when npm forwards it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, shutdown.begin)
  const environment = readEnvironment()
  const warnings = describeUnknownVariables(environment, environmentVariables, standardVariables)
  try {
    const config = await configure(environment)
    const { untilReady, close } = await startService(config, warnings)
    shutdown.ready(close, config.shutdownDelayMs)
    if (environment.NOTIFY_SOCKET) await untilReady().then(notifySystemd)
  } catch (error) {
    // A misspelled variable often is why another one is missing.
    throw error instanceof ConfigError ? new ConfigError([error.message, ...warnings]) : error
  }
} catch (error) {
  reportStartError(error)
  process.exit(1)
}

/** Replaces port 0 by a free port, because other settings are derived from it. */
async function configure(environment: ReturnType<typeof readEnvironment>): Promise<Config> {
  const config = readConfig(environment)
  if (config.port !== 0) return config
  return readConfig({ ...environment, PORT: String(await freePort(config.host)) })
}
