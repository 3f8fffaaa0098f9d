import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import type { FromChild, ProcessMetrics, ToChild } from './messages.ts'

/** A process that is too busy to reply within this time is left out of a scrape. */
const metricsTimeoutMs = 2_000
/** A process that has not exited by then, after the delay, is killed: a second before the primary's own deadline. */
const shutdownMsMax = 8_500
const pingEveryMs = 10_000
/** A process is killed after 30 s without a reply. Pings are counted, so that time in which this one was stopped is none. */
const unansweredMax = 3

export type Child = ReturnType<typeof forkChild>

interface ChildEvents {
  aggregatedMetrics: () => Promise<string>
  /** Called before a process whose event loop does not run is killed. */
  onUnresponsive: () => void
}

/** Forks an API process, handles its messages, and kills it if it no longer responds. */
export function forkChild(
  start: Extract<ToChild, { kind: 'start' }>,
  { aggregatedMetrics, onUnresponsive }: ChildEvents,
) {
  // JSON, the default serialization, has no NaN, which is the value of some metrics.
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'api-process.ts'), serialization: 'advanced' })
  const worker = cluster.fork()
  const replies = new EventEmitter<{ metrics: [ProcessMetrics] }>()
  const listening = Promise.withResolvers<void>()
  const pings = killUnresponsive(worker, onUnresponsive)
  worker.on('message', async (message: FromChild) => {
    pings.answered()
    if (message.kind === 'loaded') send(worker, start)
    else if (message.kind === 'listening') listening.resolve()
    else if (message.kind === 'start-failed') listening.reject(new Error(message.reason))
    else if (message.kind === 'process-metrics') replies.emit('metrics', message.value)
    else if (message.kind === 'get-aggregated-metrics')
      send(worker, { kind: 'aggregated-metrics', value: await aggregatedMetrics() })
  })
  const exited = once(worker, 'exit').then(([code, signal]) => ({ code, signal }))
  void exited.then(({ signal }) => {
    pings.end()
    listening.reject(new Error(`An API process exited before it was ready${signal ? ` (${signal})` : ''}.`))
  })
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

/** Kills a process that has sent messages and stops to. */
function killUnresponsive(worker: Worker, onUnresponsive: () => void) {
  let unanswered = 0
  let pings: NodeJS.Timeout | undefined
  function ping(): void {
    if (unanswered === unansweredMax) {
      onUnresponsive()
      worker.process.kill('SIGKILL')
    }
    unanswered += 1
    send(worker, { kind: 'ping' })
  }
  return {
    /** Called for each message. A process that still loads sends none. */
    answered(): void {
      unanswered = 0
      pings ??= setInterval(ping, pingEveryMs).unref()
    },
    end: () => clearInterval(pings),
  }
}

/** Ignores errors: the exit of a process is observed by its own event. */
function send(worker: Worker, message: ToChild): void {
  if (worker.isConnected()) worker.send(message, () => undefined)
}
