/** `npm start`: reads the configuration, starts the dependencies and the service, and closes them on a signal. */
import { isatty } from 'node:tty'
import { type Config, readConfig } from './configuration/config.ts'
import { readEnvironment } from './configuration/read-environment.ts'
import { describeExpectedError, describeStartError } from './configuration/start-error.ts'
import { freePort } from './http/free-port.ts'
import { createLog } from './logging/log.ts'
import { prepareShutdown } from './start/shutdown.ts'
import { handleSignals } from './start/signals.ts'

try {
  const shutdown = prepareShutdown()
  // Ctrl-C arrives twice when npm forwards it.
  handleSignals(shutdown.begin)
  const config = await configure(readEnvironment())
  const endTracing = await startTracing(config)
  const { startService } = await import('./start/start-service.ts')
  const { close } = await startService(config)
  shutdown.ready(async () => {
    await close()
    await endTracing()
  }, config.shutdownDelayMs)
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

/**
 * Loads OpenTelemetry where OTEL_EXPORTER_OTLP_ENDPOINT is set, before the modules that it instruments; nothing of it elsewhere.
 * Returns the function that exports the last spans.
 */
async function startTracing({
  otlpEndpoint,
  otlpHeaders = {},
  logLevel,
}: Config): Promise<() => Promise<void>> {
  if (otlpEndpoint === undefined) return async () => {}
  const { startTracing } = await import('./telemetry/start-tracing.ts')
  return startTracing({ url: `${otlpEndpoint}/v1/traces`, headers: otlpHeaders, log: createLog(logLevel) })
}

/** Reports why a start failed: at a terminal as plain text, otherwise as a line of the log for each reason. */
function reportStartError(error: unknown): void {
  if (isatty(1)) {
    console.error(describeStartError(error))
    return
  }
  const log = createLog('fatal')
  const reasons = describeExpectedError(error)?.split('\n')
  if (!reasons) log.fatal({ err: error }, 'The start failed')
  for (const reason of reasons ?? []) log.fatal(reason)
}
