import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import type { FromChild, ProcessMetrics, ToChild } from './messages.ts'

/** A process that is too busy to reply within this time is left out of a scrape. */
const metricsTimeoutMs = 2_000
/** A process that has not exited by then, after the delay, is killed: a second before the primary's own deadline. */
const shutdownMsMax = 8_500

export type Child = ReturnType<typeof forkChild>

/** Forks an API process and handles its messages. */
export function forkChild(
  start: Extract<ToChild, { kind: 'start' }>,
  aggregatedMetrics: () => Promise<string>,
) {
  // JSON, the default serialization, has no NaN, which is the value of some metrics.
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'api-process.ts'), serialization: 'advanced' })
  const worker = cluster.fork()
  const replies = new EventEmitter<{ metrics: [ProcessMetrics] }>()
  const listening = Promise.withResolvers<void>()
  worker.on('message', async (message: FromChild) => {
    if (message.kind === 'loaded') send(worker, start)
    else if (message.kind === 'listening') listening.resolve()
    else if (message.kind === 'start-failed') listening.reject(new Error(message.reason))
    else if (message.kind === 'process-metrics') replies.emit('metrics', message.value)
    else send(worker, { kind: 'aggregated-metrics', value: await aggregatedMetrics() })
  })
  const exited = once(worker, 'exit').then(([code, signal]) => ({ code, signal }))
  void exited.then(({ signal }) =>
    listening.reject(new Error(`An API process exited before it was ready${signal ? ` (${signal})` : ''}.`)),
  )
  listening.promise.catch(() => undefined)
  return {
    /** Resolves when it serves requests; rejects with one line if it cannot start or exits before. */
    listening: listening.promise,
    /** Resolves when the process has exited. */
    exited,
    /** Rejects if it doesn't reply in time. */
    async metrics(): Promise<ProcessMetrics> {
      const reply = once(replies, 'metrics', { signal: AbortSignal.timeout(metricsTimeoutMs) })
      send(worker, { kind: 'get-process-metrics' })
      const [metrics] = await reply
      return metrics
    },
    /** Shuts it down gracefully; resolves when it has exited. */
    close: () => close(worker, exited, start.config.shutdownDelayMs),
  }
}

async function close(worker: Worker, exited: Promise<unknown>, delayMs: number): Promise<void> {
  send(worker, { kind: 'close' })
  const late = setTimeout(() => worker.process.kill('SIGKILL'), delayMs + shutdownMsMax)
  await exited
  clearTimeout(late)
}

/** Ignores errors: the exit of a process is observed by its own event. */
function send(worker: Worker, message: ToChild): void {
  if (worker.isConnected()) worker.send(message, () => undefined)
}
