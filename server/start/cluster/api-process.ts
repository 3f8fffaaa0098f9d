/**
 * The program of an API process in a cluster. The primary sends its configuration and tells it when to shut down; it
 * ignores signals, which reach the primary too if they are sent to the process group. `node:cluster` ends it when
 * the primary has died.
 */
import { EventEmitter, once } from 'node:events'
import type { Registry } from 'prom-client'
import { describeStartError } from '../../configuration/start-error.ts'
import { createLog } from '../../logging/log.ts'
import { prepareShutdown } from '../shutdown.ts'
import { handleSignals } from '../signals.ts'
import { startProcess } from '../start-process.ts'
import type { FromChild, ToChild } from './messages.ts'

/** Longer than the primary's timeout for the metrics of the other processes. */
const aggregatedMetricsTimeoutMs = 4_000

const replies = new EventEmitter<{ metrics: [string] }>()
const shutdown = prepareShutdown()
let registry: Registry | undefined

handleSignals(() => {})
process.on('message', (message: ToChild) => void handle(message))
send({ kind: 'loaded' })

async function handle(message: ToChild): Promise<void> {
  if (message.kind === 'start') await start(message)
  else if (message.kind === 'aggregated-metrics') replies.emit('metrics', message.value)
  else if (message.kind === 'get-process-metrics') await sendProcessMetrics()
  else if (message.kind === 'ping') send({ kind: 'pong' })
  else shutdown.begin()
}

async function start({ config, dependencies }: Extract<ToChild, { kind: 'start' }>): Promise<void> {
  try {
    const service = await startProcess({
      config,
      dependencies,
      log: createLog(config.logLevel),
      roles: { api: true, worker: false, metricsPort: false },
      metricsSource(own) {
        registry = own
        return { contentType: own.contentType, metrics: aggregatedMetrics }
      },
    })
    shutdown.ready(service.close, config.shutdownDelayMs)
    send({ kind: 'listening' })
  } catch (error) {
    const message: FromChild = { kind: 'start-failed', reason: describeStartError(error) }
    process.send?.(message, () => process.exit(1))
  }
}

async function aggregatedMetrics(): Promise<string> {
  const reply = once(replies, 'metrics', { signal: AbortSignal.timeout(aggregatedMetricsTimeoutMs) })
  send({ kind: 'get-aggregated-metrics' })
  const [text] = await reply
  return text
}

async function sendProcessMetrics(): Promise<void> {
  const value = (await registry?.getMetricsAsJSON()) ?? []
  send({ kind: 'process-metrics', value })
}

function send(message: FromChild): void {
  process.send?.(message)
}
