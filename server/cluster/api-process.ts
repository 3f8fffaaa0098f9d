/**
 * The program of an API process in a cluster. The primary sends its configuration and tells it when to shut down; it
 * ignores signals, which reach the primary too if they are sent to the process group. `node:cluster` ends it when
 * the primary has died.
 */
import { createLog } from '../log.ts'
import { prepareShutdown } from '../shutdown.ts'
import { describeStartError } from '../start-error.ts'
import { type ServiceProcess, startProcess } from '../start-process.ts'
import { createIpcRequester } from './ipc-requester.ts'
import type { FromChild, ToChild } from './messages.ts'

/** Longer than the primary's timeout for the metrics of the other processes. */
const aggregatedMetricsTimeoutMs = 4_000

const aggregatedMetrics = createIpcRequester<string>(
  request => send({ kind: 'get-aggregated-metrics', ...request }),
  aggregatedMetricsTimeoutMs,
)
const shutdown = prepareShutdown()
let service: ServiceProcess | undefined

process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('message', (message: ToChild) => void handle(message))
send({ kind: 'loaded' })

async function handle(message: ToChild): Promise<void> {
  if (message.kind === 'start') await start(message)
  else if (message.kind === 'aggregated-metrics') aggregatedMetrics.resolve(message)
  else if (message.kind === 'get-process-metrics') await sendProcessMetrics(message.requestId)
  else shutdown.begin()
}

async function start({ config, dependencies }: Extract<ToChild, { kind: 'start' }>): Promise<void> {
  try {
    service = await startProcess({
      config,
      dependencies,
      log: createLog(config.logLevel),
      roles: { api: true, worker: false, metricsPort: false },
      metricsSource: ({ contentType }) => ({ contentType, metrics: aggregatedMetrics.request }),
    })
    shutdown.ready(service.close, config.shutdownDelayMs)
    send({ kind: 'listening' })
  } catch (error) {
    const message: FromChild = { kind: 'start-failed', reason: describeStartError(error) }
    process.send?.(message, () => process.exit(1))
  }
}

async function sendProcessMetrics(requestId: number): Promise<void> {
  const value = (await service?.services.registry.getMetricsAsJSON()) ?? []
  send({ kind: 'process-metrics', requestId, value })
}

function send(message: FromChild): void {
  process.send?.(message)
}
