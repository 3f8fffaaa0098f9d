import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Log } from '../log.ts'
import { StartError } from '../start-error.ts'
import { type Child, type ChildOptions, forkChild } from './child.ts'
import type { Figures } from './messages.ts'

/** So that a process that cannot start does not keep the machine busy. */
const replaceAfterMs = 1_000

export interface ApiProcesses {
  /** Answers when each serves requests. Throws a `StartError` when one can't. */
  start(): Promise<void>
  /** Of each that answers in time. */
  figures(): Promise<Figures[]>
  /** Lets each finish what is in flight; answers when all are gone. */
  close(): Promise<void>
}

export interface ApiProcessesOptions {
  config: Config
  dependencies: Dependencies
  log: Log
  allFigures: ChildOptions['allFigures']
}

/** As many API processes as WEB_CONCURRENCY says, each replaced when it dies. */
export function createApiProcesses(options: ApiProcessesOptions): ApiProcesses {
  const { config, dependencies, log, allFigures } = options
  const { databaseUrl, encryptionKey, veriff, oidc, receiverAuthorities } = dependencies
  const values = { databaseUrl, encryptionKey, veriff, oidc, receiverAuthorities }
  const children = new Set<Child>()
  const closing = new AbortController()

  function fork(): Child {
    const child = forkChild({ start: { kind: 'start', config, dependencies: values }, allFigures })
    children.add(child)
    void child.ended.then(() => children.delete(child))
    return child
  }

  async function keep(first: Child): Promise<void> {
    let child = first
    for (;;) {
      const { code, signal } = await child.ended
      if (closing.signal.aborted) return
      log.error({ code, signal }, 'An API process has ended by itself; another takes its place')
      await wait(replaceAfterMs, undefined, { signal: closing.signal }).catch(() => undefined)
      if (closing.signal.aborted) return
      child = fork()
      child.listening.then(
        () => log.info('The new API process is up'),
        (error: Error) => log.error({ fault: error.message }, 'The new API process could not start'),
      )
    }
  }

  return {
    async start() {
      const first = Array.from({ length: config.WEB_CONCURRENCY }, fork)
      try {
        await Promise.all(first.map(child => child.listening))
      } catch (error) {
        throw new StartError((error as Error).message, { cause: error })
      }
      for (const child of first) void keep(child)
    },
    async figures() {
      const answers = await Promise.allSettled([...children].map(child => child.figures()))
      return answers.filter(answer => answer.status === 'fulfilled').map(({ value }) => value)
    },
    async close() {
      closing.abort()
      await Promise.all([...children].map(child => child.close()))
    },
  }
}
