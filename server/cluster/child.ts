import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Figures, FromChild, ToChild } from './messages.ts'
import { createRequester, type Requester } from './requester.ts'

/** A process that is too busy to answer a scrape is left out of it. */
const ownFiguresMsMax = 2_000
/** What has not ended by then is killed: a second before the primary itself has to be gone. */
const endMsMax = 8_500

export interface Child {
  /** Resolves when it serves requests; rejects with one line when it can't, or ends before. */
  listening: Promise<void>
  /** How it ended. Resolves only then. */
  ended: Promise<{ code: number | null; signal: string | null }>
  figures: Requester<Figures>['ask']
  /** Lets it finish what is in flight; answers when it is gone. */
  close(): Promise<void>
}

export interface ChildOptions {
  start: Extract<ToChild, { kind: 'start' }>
  /** Of all processes together. */
  allFigures: () => Promise<string>
}

/** Starts an API process and talks with it. */
export function forkChild({ start, allFigures }: ChildOptions): Child {
  // Numbers that are none (NaN) survive the way between the processes only in this form.
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'api-process.ts'), serialization: 'advanced' })
  const worker = cluster.fork()
  const figures = createRequester<Figures>(
    question => send(worker, { kind: 'ask for own figures', ...question }),
    ownFiguresMsMax,
  )
  const listening = Promise.withResolvers<void>()
  worker.on('message', async (message: FromChild) => {
    if (message.kind === 'ready') send(worker, start)
    else if (message.kind === 'listening') listening.resolve()
    else if (message.kind === 'failed') listening.reject(new Error(message.fault))
    else if (message.kind === 'own figures') figures.settle(message)
    else send(worker, { kind: 'all figures', question: message.question, value: await allFigures() })
  })
  const ended = once(worker, 'exit').then(([code, signal]) => ({ code, signal }))
  void ended.then(({ signal }) =>
    listening.reject(new Error(`An API process ended before it was ready${signal ? ` (${signal})` : ''}.`)),
  )
  listening.promise.catch(() => undefined)
  return { listening: listening.promise, ended, figures: figures.ask, close: () => close(worker, ended) }
}

async function close(worker: Worker, ended: Promise<unknown>): Promise<void> {
  send(worker, { kind: 'close' })
  const late = setTimeout(() => worker.process.kill('SIGKILL'), endMsMax)
  await ended
  clearTimeout(late)
}

/** Whether it is gone shows when it ends, not when it is written to. */
function send(worker: Worker, message: ToChild): void {
  if (worker.isConnected()) worker.send(message, () => undefined)
}
