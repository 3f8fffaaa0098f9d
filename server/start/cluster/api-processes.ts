import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../configuration/config.ts'
import type { Dependencies } from '../../configuration/dependencies.ts'
import { StartError } from '../../configuration/start-error.ts'
import type { Log } from '../../logging/log.ts'
import { type Child, forkChild } from './child.ts'
import type { ProcessMetrics } from './messages.ts'

/** Limits the load of a process that cannot start. */
const restartDelayMs = 1_000

/**
 * Runs `config.apiProcesses` API processes and restarts each one that exits. `aggregatedMetrics` returns the metrics of
 * all processes together.
 */
export function createApiProcesses(
  config: Config,
  dependencies: Dependencies,
  log: Log,
  aggregatedMetrics: () => Promise<string>,
) {
  const children = new Set<Child>()
  const serving = new Set<Child>()
  const closing = new AbortController()

  function fork(): Child {
    const onUnresponsive = () => log.error('API process does not respond; killing it')
    const child = forkChild({ kind: 'start', config, dependencies }, { aggregatedMetrics, onUnresponsive })
    children.add(child)
    child.listening.then(
      () => serving.add(child),
      () => undefined,
    )
    void child.exited.then(() => {
      children.delete(child)
      serving.delete(child)
    })
    return child
  }

  async function supervise(first: Child): Promise<void> {
    let child = first
    for (;;) {
      const { code, signal } = await child.exited
      if (closing.signal.aborted) return
      log.error({ code, signal }, 'API process exited unexpectedly; restarting')
      await wait(restartDelayMs, undefined, { signal: closing.signal }).catch(() => undefined)
      if (closing.signal.aborted) return
      child = fork()
      child.listening.then(
        () => log.info('API process restarted'),
        (error: Error) => log.error({ reason: error.message }, 'API process failed to restart'),
      )
    }
  }

  return {
    /** Resolves when every process serves requests. Throws a `StartError` if one cannot. */
    async start(): Promise<void> {
      const first = Array.from({ length: config.apiProcesses }, fork)
      try {
        await Promise.all(first.map(child => child.listening))
      } catch (error) {
        throw new StartError((error as Error).message, { cause: error })
      }
      for (const child of first) void supervise(child)
    },
    /** Whether at least one serves requests. */
    isServing: () => serving.size > 0,
    /** Returns the metrics of each process that replies in time. */
    async metrics(): Promise<ProcessMetrics[]> {
      const replies = await Promise.allSettled([...children].map(child => child.metrics()))
      return replies.filter(reply => reply.status === 'fulfilled').map(({ value }) => value)
    },
    /** Shuts every process down gracefully; resolves when all have exited. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.all([...children].map(child => child.close()))
    },
  }
}
