/**
 * The program that waits for changes of statuses like the clients of a tenant: each user has a connection, and asks again
 * as soon as it has a response. It also sends the provider's callbacks, so that one clock times both.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { quantile } from '../report/quantile.ts'
import type { BenchRequest } from './order.ts'

/** Begins to wait: all users within the time, one after the other. */
export interface WaitOrder {
  kind: 'wait'
  origin: string
  /** One for each user. */
  requests: BenchRequest[]
  withinSeconds: number
}

/** Sends a callback for each user, and waits until all of them have the result. */
export interface CompleteOrder {
  kind: 'complete'
  origin: string
  /** In the order of the users. */
  callbacks: BenchRequest[]
  /** Callbacks under way at a time. */
  concurrency: number
}

/** Since the last report. */
export interface WaitReport {
  responses: number
  /** Responses with another status than 200, by message. */
  failed: Record<string, number>
}

export interface CompleteReport {
  /** Until the response to the last callback, and until the last user has the result. */
  callbackSeconds: number
  seconds: number
  /** From the response to the callback until the user has the result. */
  p50Ms: number
  p99Ms: number
  maxMs: number
}

interface User {
  done: Promise<number>
}

// Each user has a connection of its own, and callbacks have some more.
const agent = new Agent({ pipelining: 1, headersTimeout: 90_000 })
let users: User[] = []
let report: WaitReport = { responses: 0, failed: {} }

process.on('message', async (order: WaitOrder | CompleteOrder | 'report' | string) => {
  if (order === 'report') {
    const finished = report
    report = { responses: 0, failed: {} }
    process.send!(finished)
  } else if (typeof order !== 'string')
    process.send!(await (order.kind === 'wait' ? wait(order) : complete(order)))
})

async function wait({ origin, requests, withinSeconds }: WaitOrder): Promise<WaitReport> {
  const everyMs = (withinSeconds * 1_000) / requests.length
  const startedAt = performance.now()
  users = []
  for (const [index, request] of requests.entries()) {
    const dueMs = startedAt + index * everyMs - performance.now()
    if (dueMs > 1) await sleep(dueMs)
    users.push({ done: untilCompleted(origin, request) })
  }
  return report
}

/** Returns when the user had the result. */
async function untilCompleted(origin: string, request: BenchRequest): Promise<number> {
  for (;;) {
    const { statusCode, headers, body } = await agent.request({ origin, ...request })
    const { completedAt, message = '' } = (await body.json()) as { completedAt?: string; message?: string }
    report.responses += 1
    if (completedAt) return performance.now()
    if (statusCode === 200) continue
    report.failed[message] = (report.failed[message] ?? 0) + 1
    await sleep(Number(headers['retry-after'] ?? 1) * 1_000)
  }
}

async function complete({ origin, callbacks, concurrency }: CompleteOrder): Promise<CompleteReport> {
  const startedAt = performance.now()
  const calledAt: number[] = []
  let next = 0
  async function callSequentially(): Promise<void> {
    while (next < callbacks.length) {
      const user = next++
      const { statusCode, body } = await agent.request({ origin, ...callbacks[user]! })
      await body.dump()
      if (statusCode !== 200) throw new Error(`A callback got ${statusCode}`)
      calledAt[user] = performance.now()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, callSequentially))
  const callbackSeconds = (performance.now() - startedAt) / 1_000
  const doneAt = await Promise.all(users.map(({ done }) => done))
  const seconds = (performance.now() - startedAt) / 1_000
  const delays = doneAt.map((at, user) => Math.max(0, at - calledAt[user]!))
  const [p50Ms, p99Ms] = [quantile(delays, 0.5), quantile(delays, 0.99)]
  return { callbackSeconds, seconds, p50Ms, p99Ms, maxMs: Math.max(...delays) }
}
