/** Waits for changes of statuses, and sends the provider's callbacks, so that one clock times both. */
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../report/quantile.ts'
import type { BenchRequest, CompleteOrder, CompleteReport, WaitOrder, WaitReport } from './orders.ts'
import { createRawClient, type RawClient } from './raw-client.ts'

/** How long a user pauses after a response without a status, as `Retry-After` says. */
const retryAfterMs = 1_000

/** When each user had the result. */
let users: Promise<number>[] = []
let report: WaitReport = { responses: 0, failed: 0 }

export async function wait({ origin, requests, withinSeconds }: WaitOrder): Promise<WaitReport> {
  const client = createRawClient(origin, requests.length)
  const everyMs = (withinSeconds * 1_000) / requests.length
  const startedAt = performance.now()
  users = []
  for (const [index, request] of requests.entries()) {
    const dueMs = startedAt + index * everyMs - performance.now()
    if (dueMs > 1) await sleep(dueMs)
    users.push(untilCompleted(client, request))
  }
  void Promise.all(users).then(() => client.close())
  return reportWaits()
}

export function reportWaits(): WaitReport {
  const finished = report
  report = { responses: 0, failed: 0 }
  return finished
}

async function untilCompleted(client: RawClient, request: BenchRequest): Promise<number> {
  for (;;) {
    const response = await client.request(request).catch(() => undefined)
    report.responses += 1
    if (response?.status === 200) {
      if (JSON.parse(response.body).completedAt) return performance.now()
    } else {
      report.failed += 1
      await sleep(retryAfterMs)
    }
  }
}

export async function complete({ origin, callbacks, concurrency }: CompleteOrder): Promise<CompleteReport> {
  const client = createRawClient(origin, concurrency)
  const startedAt = performance.now()
  const calledAt: number[] = []
  let next = 0
  async function callSequentially(): Promise<void> {
    while (next < callbacks.length) {
      const user = next++
      const { status, body } = await client.request(callbacks[user]!)
      if (status !== 200) throw new Error(`A callback got ${status} ${body}`)
      calledAt[user] = performance.now()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, callSequentially))
  const doneAt = await Promise.all(users)
  client.close()
  const seconds = (performance.now() - startedAt) / 1_000
  const delays = doneAt.map((at, user) => Math.max(0, at - calledAt[user]!))
  const [p50Ms, p99Ms] = [quantile(delays, 0.5), quantile(delays, 0.99)]
  return { seconds, p50Ms, p99Ms, maxMs: Math.max(...delays) }
}
